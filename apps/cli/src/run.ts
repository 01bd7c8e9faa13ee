/**
 * From a command line to an exit code: finds the command, loads it, and turns failures into one line on stderr.
 */

import type { CommandSpec } from "./arguments/command-spec.js";
import { helpText } from "./arguments/help.js";
import { nearest } from "./arguments/nearest.js";
import { parseArguments } from "./arguments/parse.js";
import { THREAD_OPTIONS } from "./arguments/thread-options.js";
import { ROOT } from "./commands/table.js";
import { CliError, ExitCode, exitCodeOf, messageOf } from "./exit.js";
import { watchOutput } from "./output-failure.js";

interface Found {
  readonly spec: CommandSpec;
  readonly path: string;
  readonly args: readonly string[];
}

/** Where the first word is that is neither an option of the root nor an option's value; -1: there is none. */
function firstWord(args: readonly string[]): number {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    if (arg === "--") return -1;
    if (!arg.startsWith("-") || arg === "-") return at;
    if (takesValue(ROOT, arg)) at += 1;
  }
  return -1;
}

/** `-m NAME exec PROMPT` is `exec -m NAME PROMPT`: options may stand before the command that they are for. */
function leadingOptions(args: readonly string[]): number {
  const at = firstWord(args);
  return at > 0 && ROOT.subcommands?.some((entry) => entry.name === args[at]) ? at : 0;
}

const takesValue = (spec: CommandSpec, arg: string): boolean =>
  spec.options.some(({ long, short, value }) => value !== undefined && (arg === `--${long}` || arg === `-${short}`));

/** Follows names of commands from the root. The interactive command takes what is no command name. */
function findCommand(args: readonly string[]): Found {
  let spec = ROOT;
  const path: string[] = [];
  const leading = leadingOptions(args);
  let rest = args.slice(leading);
  while (spec.subcommands && rest[0] !== undefined && !rest[0].startsWith("-")) {
    const [name] = rest;
    const next = spec.subcommands.find((entry) => entry.name === name);
    if (!next) break;
    spec = next;
    path.push(name);
    rest = rest.slice(1);
  }
  rest = [...args.slice(0, leading), ...rest];
  if (spec !== ROOT && spec.subcommands) {
    const wanted = rest.find((arg) => !arg.startsWith("-"));
    const known = spec.subcommands.map((entry) => entry.name);
    if (!rest.some((arg) => arg === "--help" || arg === "-h")) {
      const near = wanted ? nearest(wanted, known) : null;
      const what = wanted ? `unknown command \`${path.join(" ")} ${wanted}\`` : `\`${path.join(" ")}\` needs a command`;
      throw new CliError(`${what}: ${known.join(", ")}${near ? `; did you mean ${near}?` : ""}`, ExitCode.usage);
    }
  }
  return { spec, path: path.join(" "), args: rest };
}

function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

/** The options before another command line, whose own are none of ours. */
function untilCommand(args: readonly string[], spec: CommandSpec): readonly string[] {
  const at = args.findIndex((arg, index) => !arg.startsWith("-") && !takesValue(spec, args[index - 1] ?? ""));
  return at < 0 ? args : args.slice(0, at);
}

/** A word that is nearly a command is a typing mistake: by itself no prompt, and before others no prompt either. */
function refuseMistyped(spec: CommandSpec, args: readonly string[]): void {
  const word = spec === ROOT ? args[firstWord(args)] : undefined;
  if (word === undefined || !/^[a-z-]+$/.test(word)) return;
  const near = nearest(
    word,
    (ROOT.subcommands ?? []).map((entry) => entry.name),
  );
  if (near) {
    throw new CliError(
      `unknown command ${word}; did you mean ${near}?`,
      ExitCode.usage,
      "A prompt of one word can be given after `--`.",
    );
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const { spec, path, args: rest } = findCommand(args);
  if (wantsHelp(spec.commandFollows ? untilCommand(rest, spec) : rest) && !(spec.passThrough && rest[0] === "--")) {
    process.stdout.write(helpText(spec, path, THREAD_OPTIONS));
    return ExitCode.ok;
  }
  refuseMistyped(spec, rest);
  const parsed = spec.passThrough
    ? { positionals: [], values: new Map(), switches: new Set<string>(), raw: rest }
    : parseArguments(spec, rest, path);
  const { run } = await spec.load();
  return run(parsed, ROOT);
}

export async function main(args: readonly string[]): Promise<void> {
  watchOutput();
  let code: number;
  try {
    code = await dispatch(args);
  } catch (error) {
    code = exitCodeOf(error);
    const detail = process.env.TURNKIT_DEBUG === "1" && error instanceof Error ? `\n${error.stack}` : "";
    const hint = error instanceof CliError && error.hint ? `\n${error.hint}` : "";
    process.stderr.write(`turnkit: ${messageOf(error).replace(/\s*\n\s*/g, " ")}${hint}${detail}\n`);
  }
  process.exitCode = code;
  await drained();
  // Servers and sockets that were left open must not keep the process.
  process.exit(code);
}

/** Pipes take what was written before the process ends, or have told that they do not. */
async function drained(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) =>
      stream.writableLength === 0 ? undefined : new Promise((resolve) => stream.write("", resolve)),
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
}
