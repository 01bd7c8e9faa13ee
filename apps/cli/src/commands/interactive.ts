/** `turnkit [PROMPT]`: the interface. `npm start` without a model configured shows the demo instead. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { allValues, type CommandRun, lastValue, type ParsedArguments } from "../arguments/command-spec.js";
import { checkFolders, configOverrides, threadParams } from "../arguments/thread-options.js";
import { connect } from "../client/connect.js";
import { modelConfigured } from "../client/model-configured.js";
import { CliError, ExitCode } from "../exit.js";
import { bold, dim, lineOf } from "../tui/terminal/style.js";
import { VERSION } from "../version.js";
import { leaveInterface, readInterfaceConfig } from "./interface-session.js";
import { isInteractive } from "./terminal-check.js";

const NO_MODEL = new CliError(
  "no model is configured",
  ExitCode.config,
  "Set OPENAI_API_KEY, or name a model_provider in config.toml. `turnkit demo` works without.",
);

export const run: CommandRun = async (parsed, root) => {
  if (parsed.switches.has("version")) {
    process.stdout.write(`turnkit ${VERSION}\n`);
    return ExitCode.ok;
  }
  const [prompt] = parsed.positionals;
  const remote = lastValue(parsed, "remote");
  if (remote === undefined && !(await modelConfigured(configOverrides(parsed)))) {
    if (process.env.TURNKIT_START === "1" && prompt === undefined && parsed.raw.length === 0) {
      return (await import("./demo/index.js")).run(parsed, root);
    }
    throw NO_MODEL;
  }
  if (isInteractive()) return openInterface(parsed, prompt, remote);
  // Without a terminal a prompt is a task, as `exec` runs it.
  if (prompt !== undefined) return (await import("./exec/index.js")).run(parsed, root);
  const why = process.stdin.isTTY && process.stdout.isTTY ? " that can move its cursor, and TERM is dumb" : "";
  throw new CliError(`the interface needs a terminal${why}`, ExitCode.usage, 'Without one: `turnkit exec "PROMPT"`.');
};

async function openInterface(
  parsed: ParsedArguments,
  prompt: string | undefined,
  remote: string | undefined,
): Promise<number> {
  const images = allValues(parsed, "image").map((file) => resolve(file));
  const missing = images.find((file) => !existsSync(file));
  if (missing) throw new CliError(`cannot read the image ${missing}: there is no such file`, ExitCode.input);
  if (remote === undefined) checkFolders(parsed);
  await using connection = await connect({
    remote,
    overrides: configOverrides(parsed),
    name: "turnkit_tui",
    log: undefined,
  });
  const config = await readInterfaceConfig(configOverrides(parsed));
  const opened = await connection.request("thread/start", threadParams(parsed));
  const { runInterface } = await import("../tui/run-interface.js");
  const left = await runInterface({
    connection,
    opened,
    banner: [
      lineOf(bold("turnkit"), dim(` ${VERSION}`)),
      lineOf(dim(`${opened.model} (${opened.modelProvider}) · ${opened.cwd}`)),
    ],
    images,
    ...config,
    ...(prompt === undefined ? {} : { prompt }),
  });
  return leaveInterface(left);
}
