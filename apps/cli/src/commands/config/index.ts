/** `turnkit config path|get|set|unset|check`: the configuration file, without an editor. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "@turnkit/core/config";
import type { CommandRun, ParsedArguments } from "../../arguments/command-spec.js";
import { configOverrides } from "../../arguments/thread-options.js";
import { homeFolder } from "../../client/model-configured.js";
import { CliError, ExitCode } from "../../exit.js";
import { changeConfig, configModule, inConfigTerms, valueAt } from "./config-file.js";

export const run: CommandRun = async () => ExitCode.usage;

export const showPath: CommandRun = async () => {
  process.stdout.write(`${path.join(homeFolder(), "config.toml")}\n`);
  return ExitCode.ok;
};

/** The file with what the command line adds. @throws {CliError} */
async function inForce(parsed: ParsedArguments): Promise<Config> {
  const { loadConfig, parseOverrides } = await configModule();
  return inConfigTerms(
    (async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(configOverrides(parsed)) }))(),
  );
}

/** A text as it is, anything else as JSON: what scripts want. */
export const get: CommandRun = async (parsed) => {
  const [key] = parsed.positionals;
  const { keyPath } = await configModule();
  const { raw: table } = await inForce(parsed);
  const value = key === undefined ? table : valueAt(table, keyPath(key));
  if (value === undefined) throw new CliError(`${key} is not set`, ExitCode.input);
  const plain = typeof value === "string" && !parsed.switches.has("json");
  process.stdout.write(`${plain ? value : JSON.stringify(value, null, 2)}\n`);
  return ExitCode.ok;
};

export const set: CommandRun = async ({ positionals: [key = "", text = ""] }) => {
  const { keyPath, parseTomlValue, setConfigKey } = await configModule();
  await changeConfig((before) => setConfigKey(before, keyPath(key), parseTomlValue(text)), keyPath(key));
  return ExitCode.ok;
};

export const unset: CommandRun = async ({ positionals: [key = ""] }) => {
  const { keyPath, removeConfigKey } = await configModule();
  let there = true;
  await changeConfig((before) => {
    const after = removeConfigKey(before, keyPath(key));
    there = after !== before;
    return after;
  }, keyPath(key));
  if (!there) throw new CliError(`${key} is not set`, ExitCode.input);
  return ExitCode.ok;
};

/** Every unknown key is named; the first broken rule ends the check, because nothing after it can be trusted. */
export const check: CommandRun = async (parsed) => {
  const config = await inForce(parsed);
  const warnings = [...config.warnings, ...(await interfaceWarnings(config))];
  for (const warning of warnings) process.stdout.write(`${warning}\n`);
  if (config.withoutEffect.length > 0)
    process.stdout.write(`without effect here: ${config.withoutEffect.join(", ")}\n`);
  if (warnings.length > 0) return ExitCode.config;
  process.stdout.write(`${config.file ?? "no config.toml; defaults"}: ok\n`);
  return ExitCode.ok;
};

/** What is wrong in `[tui]`, which no other command reads. */
async function interfaceWarnings({ raw, file }: Config): Promise<string[]> {
  const { interfaceProblems, mistypedNames } = await import("../../tui/keymap/interface-problems.js");
  const { lineOfKey } = await configModule();
  const text = file ? await readFile(file, "utf8") : "";
  const tui = valueAt(raw, ["tui"]);
  return [...mistypedNames(tui), ...interfaceProblems(tui)].map(({ path: key, message }) => {
    const line = lineOfKey(text, key.split("."));
    return `${file ?? "the command line"}${line === undefined ? "" : `:${line}`}: ${key} ${message}`;
  });
}
