/**
 * Goes on with an earlier thread or a copy of it: in the interface where there is a terminal, else as one task whose
 * result is printed.
 */
import { resolve } from "node:path";
import { lastValue, type ParsedArguments } from "../arguments/command-spec.js";
import { checkFolders, configOverrides, threadParams } from "../arguments/thread-options.js";
import { connectForThread } from "../client/open-for-thread.js";
import { withProgress } from "../client/progress-line.js";
import { CliError, ExitCode, signalExitCode } from "../exit.js";
import { dim, lineOf } from "../tui/terminal/style.js";
import { executeTask, plainTask } from "./exec/task.js";
import { leaveInterface, pickThread, readInterfaceConfig } from "./interface-session.js";
import { isInteractive } from "./terminal-check.js";

const looksLikeId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$|^thread[-_]/i.test(text);

export async function continueThread(parsed: ParsedArguments, how: "resume" | "fork"): Promise<number> {
  const last = parsed.switches.has("last");
  const [first, second] = parsed.positionals;
  if (last && second !== undefined) throw new CliError("give either an id or --last", ExitCode.usage);
  if (!last && first !== undefined && second === undefined && !looksLikeId(first) && /\s/.test(first)) {
    throw new CliError("give an id or --last before the prompt", ExitCode.usage);
  }
  const id = last ? undefined : first;
  const prompt = last ? first : second;
  const interactive = isInteractive();
  if (!interactive && (prompt === undefined || (id === undefined && !last))) {
    const needs = prompt === undefined ? "a prompt" : "an id or --last";
    throw new CliError(
      `without a terminal, ${how} needs ${needs}`,
      ExitCode.usage,
      `Try \`turnkit ${how} --last "…"\`.`,
    );
  }
  const remote = lastValue(parsed, "remote");
  if (remote === undefined) checkFolders(parsed);
  await using opened = await connectForThread(
    { remote, overrides: configOverrides(parsed), name: interactive ? "turnkit_tui" : "turnkit_exec", log: undefined },
    { id, last, all: parsed.switches.has("all"), cwd: resolve(lastValue(parsed, "cd") ?? ".") },
  );
  const { connection } = opened;
  const picked = opened.thread
    ? { id: opened.thread.id, endedBy: null }
    : await pickThread(connection, (await readInterfaceConfig(configOverrides(parsed))).keymap);
  if (picked.id === null) return picked.endedBy === null ? ExitCode.ok : signalExitCode(picked.endedBy);
  const params = {
    threadId: picked.id,
    ...threadParams(parsed),
    ...(interactive ? {} : { approvalPolicy: threadParams(parsed).approvalPolicy ?? "never" }),
  } as const;
  const thread = await withProgress("Reading the thread", () =>
    how === "resume" ? connection.request("thread/resume", params) : connection.request("thread/fork", params),
  );
  if (!interactive) return await executeTask(connection, { ...plainTask(thread), prompt: prompt as string });
  const { runInterface } = await import("../tui/run-interface.js");
  const config = await readInterfaceConfig(configOverrides(parsed));
  const left = await runInterface({
    connection,
    opened: thread,
    banner: [lineOf(dim(how === "resume" ? "· Resumed." : "· A copy of the thread; the original stays as it was."))],
    ...config,
    ...(prompt === undefined ? {} : { prompt }),
  });
  return leaveInterface(left);
}
