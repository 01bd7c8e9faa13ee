/**
 * The environment a command sees: the configured policy over the program's own variables, then the variables that
 * keep output plain and tell the command which session runs it.
 */

export interface ShellEnvironmentPolicy {
  readonly inherit: "all" | "core" | "none";
  readonly ignoreDefaultExcludes: boolean;
  /** Patterns with `*` and `?`, compared without case. */
  readonly exclude: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly includeOnly: readonly string[];
}

export const DEFAULT_ENVIRONMENT_POLICY: ShellEnvironmentPolicy = {
  inherit: "all",
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};

const CORE = new Set([
  "PATH",
  "SHELL",
  "TMPDIR",
  "TEMP",
  "TMP",
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "USER",
]);
const DEFAULT_EXCLUDES = ["*KEY*", "*SECRET*", "*TOKEN*"];
const NEVER = [
  "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN",
  "NODE_REPL_AUTH_TOKEN",
  "OPENAI_FEDERATION_RULE_ID",
  "OPENAI_IDENTITY_TOKEN_FILE",
  "OPENAI_WORKLOAD_IDENTITY_CONTEXT",
];
const FORCED: Readonly<Record<string, string>> = {
  NO_COLOR: "1",
  TERM: "dumb",
  LANG: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  COLORTERM: "",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  CODEX_CI: "1",
};

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const escaped = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    return new RegExp(`^${escaped}$`, "i");
  });
  return (name) => expressions.some((expression) => expression.test(name));
}

export interface CommandEnvironmentOptions {
  readonly policy: ShellEnvironmentPolicy;
  readonly inherited: Readonly<Record<string, string>>;
  readonly threadId: string;
  readonly sessionId: string;
  readonly extra: Readonly<Record<string, string>>;
}

export function commandEnvironment(options: CommandEnvironmentOptions): Record<string, string> {
  const { policy } = options;
  let entries = Object.entries(options.inherited);
  if (policy.inherit === "none") entries = [];
  if (policy.inherit === "core") entries = entries.filter(([name]) => CORE.has(name.toUpperCase()));
  if (!policy.ignoreDefaultExcludes) {
    const excluded = matcher(DEFAULT_EXCLUDES);
    entries = entries.filter(([name]) => !excluded(name));
  }
  const excluded = matcher(policy.exclude);
  entries = entries.filter(([name]) => !excluded(name));
  let environment: Record<string, string> = { ...Object.fromEntries(entries), ...policy.set };
  if (policy.includeOnly.length > 0) {
    const included = matcher(policy.includeOnly);
    environment = Object.fromEntries(Object.entries(environment).filter(([name]) => included(name)));
  }
  environment = {
    ...environment,
    ...options.extra,
    CODEX_THREAD_ID: options.threadId,
    CODEX_SESSION_ID: options.sessionId,
    ...FORCED,
  };
  for (const name of NEVER) delete environment[name];
  return environment;
}
