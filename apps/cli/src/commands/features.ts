/** `turnkit features list|enable|disable`: the switches of `[features]`. */
import type { CommandRun } from "../arguments/command-spec.js";
import { nearest } from "../arguments/nearest.js";
import { configOverrides } from "../arguments/thread-options.js";
import { connect } from "../client/connect.js";
import { homeFolder } from "../client/model-configured.js";
import { CliError, ExitCode } from "../exit.js";
import { changeConfig, configModule, inConfigTerms } from "./config/config-file.js";

export const run: CommandRun = async () => ExitCode.usage;

async function known(overrides: readonly string[]) {
  // A server would tell what is wrong with the file as a failure of its own.
  const { loadConfig, parseOverrides } = await configModule();
  await inConfigTerms((async () => loadConfig({ home: homeFolder(), overrides: parseOverrides(overrides) }))());
  await using connection = await connect({ remote: undefined, overrides, name: "turnkit_cli", log: undefined });
  return (await connection.request("experimentalFeature/list", {})).data;
}

export const list: CommandRun = async (parsed) => {
  const features = await known(configOverrides(parsed));
  const rows = features.map(({ name, stage, enabled }) => ({ name, stage, enabled }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  process.stdout.write(
    parsed.switches.has("json")
      ? `${JSON.stringify(rows)}\n`
      : rows
          .map(({ name, stage, enabled }) => `${name.padEnd(width)}  ${enabled ? "on " : "off"}  ${stage}\n`)
          .join(""),
  );
  return ExitCode.ok;
};

const switchTo =
  (on: boolean): CommandRun =>
  async ({ positionals: [name = ""] }) => {
    const names = (await known([])).map((feature) => feature.name);
    if (!names.includes(name)) {
      const near = nearest(name, names);
      const hint = "`turnkit features list` names them all.";
      throw new CliError(`there is no feature ${name}${near ? `; did you mean ${near}?` : ""}`, ExitCode.usage, hint);
    }
    const { setConfigKey } = await configModule();
    const key = ["features", name];
    await changeConfig((text) => setConfigKey(text, key, on), key);
    process.stdout.write(`${name} is ${on ? "on" : "off"} from the next thread on\n`);
    return ExitCode.ok;
  };

export const enable = switchTo(true);
export const disable = switchTo(false);
