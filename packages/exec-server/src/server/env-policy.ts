/** Builds a process's environment from the server's own, as `envPolicy` asks. Owns the order of the filters. */
import type { ExecEnvPolicy } from "@turnkit/protocol/exec";

const CORE = ["PATH", "SHELL", "TMPDIR", "TEMP", "TMP", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "USER"];
const DEFAULT_EXCLUDES = ["*KEY*", "*SECRET*", "*TOKEN*"];

type Environment = Record<string, string>;

/** inherit, then excludes, then `set`, then `includeOnly`; `env` comes on top unfiltered. */
export function environmentFor(policy: ExecEnvPolicy | null | undefined, env: Environment, own: NodeJS.ProcessEnv) {
  if (!policy) return sorted(env);
  const excludes = [...(policy.ignoreDefaultExcludes ? [] : DEFAULT_EXCLUDES), ...policy.exclude].map(glob);
  const result: Environment = Object.create(null);
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || policy.inherit === "none") continue;
    if (policy.inherit === "core" && !CORE.includes(name.toUpperCase())) continue;
    if (!excludes.some((pattern) => pattern.test(name))) result[name] = value;
  }
  Object.assign(result, policy.set);
  if (policy.includeOnly.length > 0) {
    const includes = policy.includeOnly.map(glob);
    for (const name of Object.keys(result)) {
      if (!includes.some((pattern) => pattern.test(name))) delete result[name];
    }
  }
  return sorted(Object.assign(result, env));
}

/** Children see their variables in a fixed order. */
function sorted(env: Environment): Environment {
  const result: Environment = Object.create(null);
  for (const name of Object.keys(env).sort()) result[name] = env[name] as string;
  return result;
}

function glob(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "is");
}
