/** `turnkit exec`: one task without an interface. Options and input; the work is in `task`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { allValues, type CommandRun, lastValue, type ParsedArguments } from "../../arguments/command-spec.js";
import { checkFolders, configOverrides, threadParams } from "../../arguments/thread-options.js";
import { type ConnectOptions, connect } from "../../client/connect.js";
import { modelConfigured } from "../../client/model-configured.js";
import { connectForThread } from "../../client/open-for-thread.js";
import { CliError, ExitCode } from "../../exit.js";
import { readJsonFile } from "../input-file.js";
import { policyConfig, policyOverrides, questionPolicy } from "./questions.js";
import { readReasoningShown } from "./reasoning-config.js";
import { executeTask, type Task } from "./task.js";

interface Wanted {
  /** undefined: a new thread. */
  readonly resume: { readonly id: string | undefined; readonly last: boolean } | undefined;
  readonly prompt: string | undefined;
}

function readPositionals(parsed: ParsedArguments): Wanted {
  const [first, second, third] = parsed.positionals;
  const last = parsed.switches.has("last");
  if (first === "resume") {
    if (last && third !== undefined) throw new CliError("give either an id or --last", ExitCode.usage);
    if (!last && second === undefined) throw new CliError("exec resume needs an id or --last", ExitCode.usage);
    return last ? { resume: { id: undefined, last }, prompt: second } : { resume: { id: second, last }, prompt: third };
  }
  if (second !== undefined) {
    throw new CliError(`unexpected argument ${JSON.stringify(second)}`, ExitCode.usage, "Put the prompt into quotes.");
  }
  if (last) throw new CliError("--last belongs to `exec resume`", ExitCode.usage);
  return { resume: undefined, prompt: first };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Standard input is read only when it is asked for (`-`) or when there is no prompt and it is no terminal. */
async function readPrompt(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  if (given === undefined && process.stdin.isTTY) {
    throw new CliError("the prompt is missing", ExitCode.usage, "Try `turnkit exec --help`.");
  }
  const text = (await readStdin()).trimEnd();
  if (text === "") throw new CliError("standard input holds no prompt", ExitCode.usage);
  return text;
}

/** The key that the Codex SDK hands over goes before the one of the built-in provider. */
function withSdkKey({ CODEX_API_KEY: key, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return key ? { ...env, OPENAI_API_KEY: key } : env;
}

export const run: CommandRun = async (parsed) => {
  const environment = withSdkKey(process.env);
  const wanted = readPositionals(parsed);
  const questions = await questionPolicy(parsed);
  const images = allValues(parsed, "image")
    .flatMap((entry) => entry.split(","))
    .map((file) => resolve(file));
  const missing = images.find((file) => !existsSync(file));
  if (missing) throw new CliError(`cannot read the image ${missing}: there is no such file`, ExitCode.input);
  const schemaFile = lastValue(parsed, "output-schema");
  const outputSchema = schemaFile === undefined ? undefined : await readJsonFile(schemaFile, "output schema");
  const remote = lastValue(parsed, "remote");
  const overrides = [...policyOverrides(questions), ...configOverrides(parsed)];
  if (wanted.resume === undefined && remote === undefined && !(await modelConfigured(overrides, environment))) {
    throw new CliError(
      "no model is configured",
      ExitCode.config,
      "Set OPENAI_API_KEY, or name a model_provider in config.toml. `turnkit demo` works without.",
    );
  }
  if (remote === undefined) checkFolders(parsed);
  const prompt = await readPrompt(wanted.prompt);
  const options: ConnectOptions = { remote, overrides, name: "turnkit_exec", log: undefined, env: environment };
  const task: Omit<Task, "thread"> = {
    prompt,
    images,
    output: parsed.switches.has("experimental-json") ? "sdk" : parsed.switches.has("json") ? "json" : "text",
    outputSchema,
    outputFile: lastValue(parsed, "output-last-message"),
    questions,
    color: (lastValue(parsed, "color") ?? "auto") as Task["color"],
    reasoning: await readReasoningShown(configOverrides(parsed)),
  };
  // Nobody is here to approve anything.
  const config = remote === undefined ? {} : { config: policyConfig(questions) };
  const params = { approvalPolicy: "never" as const, ...config, ...threadParams(parsed) };
  if (wanted.resume) {
    const cwd = resolve(lastValue(parsed, "cd") ?? ".");
    await using opened = await connectForThread(options, { ...wanted.resume, all: parsed.switches.has("all"), cwd });
    const threadId = opened.thread?.id as string;
    const thread = await opened.connection.request("thread/resume", { threadId, ...params });
    return await executeTask(opened.connection, { ...task, thread });
  }
  await using connection = await connect(options);
  const thread = await connection.request("thread/start", {
    ...params,
    ephemeral: parsed.switches.has("ephemeral"),
    threadSource: lastValue(parsed, "thread-source") ?? null,
  });
  return await executeTask(connection, { ...task, thread });
};
