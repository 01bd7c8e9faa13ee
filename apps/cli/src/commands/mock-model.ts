/** `turnkit mock-model`: a scripted Responses API server on loopback. */
import { type CommandRun, lastValue } from "../arguments/command-spec.js";
import { CliError, ExitCode, messageOf } from "../exit.js";
import { readInputFile } from "./input-file.js";
import { untilSignal } from "./signals.js";

export const run: CommandRun = async (parsed) => {
  const file = lastValue(parsed, "script");
  if (file === undefined) {
    throw new CliError(
      "--script FILE is missing: what the model says",
      ExitCode.usage,
      "Try `turnkit mock-model --help`.",
    );
  }
  const port = Number(lastValue(parsed, "port") ?? "0");
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new CliError(
      `--port must be a number from 0 to 65535, not ${JSON.stringify(lastValue(parsed, "port"))}`,
      ExitCode.usage,
    );
  }
  const { loadScript, ScriptFileError, scriptedResponses, startScriptedModel } = await import(
    "@turnkit/core/scripted-model"
  );
  const text = await readInputFile(file, "script");
  let responses: ReturnType<typeof scriptedResponses>;
  try {
    responses = scriptedResponses(loadScript(text, file));
  } catch (error) {
    if (error instanceof ScriptFileError) throw new CliError(error.message, ExitCode.input);
    throw error;
  }
  const started = await startScriptedModel({
    port,
    responses,
    onEvent: (event) => {
      if (event.kind === "error") process.stderr.write(`request ${event.number}: ${event.error.message}\n`);
    },
  }).catch((error: unknown) => {
    throw new CliError(`cannot listen on port ${port}: ${messageOf(error)}`, ExitCode.failed);
  });
  await using model = started;
  process.stdout.write(`${model.url}\n`);
  process.stderr.write(`serving ${file}; use it with -c 'model_providers.scripted.base_url="${model.url}"'\n`);
  await untilSignal();
  return ExitCode.ok;
};
