/** The options that every command with a thread understands, and what they become on the wire. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { AppParams } from "@turnkit/protocol/app";
import { CliError, ExitCode } from "../exit.js";
import { allValues, lastValue, type OptionSpec, type ParsedArguments } from "./command-spec.js";

export const THREAD_OPTIONS: readonly OptionSpec[] = [
  { long: "config", short: "c", value: "KEY=VALUE", repeat: true, description: "set a configuration key (TOML value)" },
  { long: "model", short: "m", value: "NAME", description: "the model" },
  { long: "cd", short: "C", value: "FOLDER", description: "work in this folder" },
  { long: "add-dir", value: "FOLDER", repeat: true, description: "a further folder that may be written" },
  {
    long: "sandbox",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    description: "what commands may write",
  },
  {
    long: "ask-for-approval",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-request", "never"],
    description: "when to ask before running a command",
  },
  { long: "profile", short: "p", value: "NAME", description: "a profile of the configuration file" },
  { long: "enable", value: "FEATURE", repeat: true, description: "switch a feature on" },
  { long: "disable", value: "FEATURE", repeat: true, description: "switch a feature off" },
];

export const REMOTE_OPTION: OptionSpec = {
  long: "remote",
  value: "ADDRESS",
  description: "use a running app-server (ws://… or unix://PATH)",
};

/** `key=value` for the server's configuration. */
export function configOverrides(parsed: ParsedArguments): string[] {
  const profile = lastValue(parsed, "profile");
  return [
    ...(profile === undefined ? [] : [`profile=${JSON.stringify(profile)}`]),
    ...allValues(parsed, "config"),
    ...allValues(parsed, "enable").map((feature) => `features.${feature}=true`),
    ...allValues(parsed, "disable").map((feature) => `features.${feature}=false`),
  ];
}

type SandboxMode = NonNullable<AppParams<"thread/start">["sandbox"]>;
type Policy = NonNullable<AppParams<"thread/start">["approvalPolicy"]>;

/** The folders that the command line names, on this machine. @throws {CliError} exit code 3: one of them is none */
export function checkFolders(parsed: ParsedArguments): void {
  for (const name of ["cd", "add-dir"]) {
    for (const folder of allValues(parsed, name)) {
      const stats = statSync(resolve(folder), { throwIfNoEntry: false });
      if (stats?.isDirectory()) continue;
      const why = stats ? "it is no folder" : "there is no such folder";
      throw new CliError(`cannot use --${name} ${folder}: ${why}`, ExitCode.input);
    }
  }
}

/** What `thread/start`, `thread/resume` and `thread/fork` take of them. */
export function threadParams(
  parsed: ParsedArguments,
): Pick<AppParams<"thread/start">, "model" | "cwd" | "sandbox" | "approvalPolicy" | "runtimeWorkspaceRoots"> {
  const model = lastValue(parsed, "model");
  const folder = lastValue(parsed, "cd");
  const sandbox = lastValue(parsed, "sandbox") as SandboxMode | undefined;
  const approvalPolicy = lastValue(parsed, "ask-for-approval") as Policy | undefined;
  const cwd = folder === undefined ? undefined : resolve(folder);
  const roots = allValues(parsed, "add-dir").map((entry) => resolve(entry));
  return {
    ...(model === undefined ? {} : { model }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(approvalPolicy === undefined ? {} : { approvalPolicy }),
    ...(roots.length === 0 ? {} : { runtimeWorkspaceRoots: [cwd ?? process.cwd(), ...roots] }),
  };
}
