/** Reads a command line against its description. One clear mistake at a time, with the nearest known name. */
import { CliError, ExitCode } from "../exit.js";
import type { CommandSpec, OptionSpec, ParsedArguments } from "./command-spec.js";
import { nearest } from "./nearest.js";

const usage = (command: string, message: string): CliError =>
  new CliError(message, ExitCode.usage, `Try \`turnkit ${command === "" ? "" : `${command} `}--help\`.`);

function findOption(options: readonly OptionSpec[], given: string, path: string): OptionSpec {
  const found = options.find(
    (option) => given === `--${option.long}` || (option.short && given === `-${option.short}`),
  );
  if (found) return found;
  const names = options.flatMap((option) => [`--${option.long}`, ...(option.short ? [`-${option.short}`] : [])]);
  const near = nearest(given, names);
  throw usage(path, `unknown option ${given}${near ? `; did you mean ${near}?` : ""}`);
}

/** @throws {CliError} with exit code 2 */
export function parseArguments(spec: CommandSpec, args: readonly string[], path = spec.name): ParsedArguments {
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  let onlyPositionals = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    if (onlyPositionals || arg === "-" || !arg.startsWith("-") || /^-\d/.test(arg)) {
      positionals.push(arg);
      if (spec.commandFollows) onlyPositionals = true;
      continue;
    }
    if (arg === "--") {
      onlyPositionals = true;
      continue;
    }
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
    const name = equals > 0 ? arg.slice(0, equals) : arg;
    const option = findOption(spec.options, name, path);
    if (option.value === undefined) {
      if (equals > 0) throw usage(path, `option ${name} takes no value`);
      switches.add(option.long);
      continue;
    }
    const value = equals > 0 ? arg.slice(equals + 1) : args[(at += 1)];
    if (value === undefined) throw usage(path, `option ${name} needs a value (${option.value})`);
    if (option.choices && !option.choices.includes(value)) {
      throw usage(path, `option ${name} must be one of ${option.choices.join(", ")}, not ${JSON.stringify(value)}`);
    }
    const list = values.get(option.long) ?? [];
    if (list.length > 0 && !option.repeat) throw usage(path, `option ${name} was given twice`);
    values.set(option.long, [...list, value]);
  }
  checkPositionals(spec, positionals, path);
  return { positionals, values, switches, raw: args };
}

function checkPositionals(spec: CommandSpec, positionals: readonly string[], path: string): void {
  const missing = spec.positionals.filter((entry) => entry.required)[positionals.length];
  if (missing) throw usage(path, `${missing.name} is missing: ${missing.description}`);
  const open = spec.positionals.some((entry) => entry.repeat);
  const extra = positionals[spec.positionals.length];
  if (extra !== undefined && !open) throw usage(path, `unexpected argument ${JSON.stringify(extra)}`);
}
