/** One task on an opened thread: a turn without an interface, its progress, its result and its exit code. */
import { writeFile } from "node:fs/promises";
import type { AppResult } from "@turnkit/protocol/app";
import type { AppConnection, ServerRequest } from "../../client/app-connection.js";
import { runTurn } from "../../client/run-turn.js";
import { TranscriptPrinter } from "../../client/transcript-printer.js";
import { ExitCode, messageOf } from "../../exit.js";
import type { ReasoningShown } from "../../tui/state/reasoning-shown.js";
import { type Palette, paletteFromEnvironment } from "../../tui/terminal/style.js";
import { visibleControls } from "../../tui/terminal/text-width.js";
import { errorText } from "../../tui/transcript/error-text.js";
import { abortOnSignals } from "../abort-on-signals.js";
import { jsonEvents } from "./json-events.js";
import { answer, type QuestionPolicy, UnansweredError } from "./questions.js";
import { sdkEvents } from "./sdk-events.js";

export interface Task {
  readonly thread: AppResult<"thread/start">;
  readonly prompt: string;
  readonly images: readonly string[];
  readonly output: "text" | "json" | "sdk";
  readonly outputSchema: unknown;
  readonly outputFile: string | undefined;
  readonly questions: QuestionPolicy;
  readonly color: "auto" | "always" | "never";
  readonly reasoning: ReasoningShown;
}

export const plainTask = (thread: AppResult<"thread/start">): Omit<Task, "prompt"> => ({
  thread,
  images: [],
  output: "text",
  outputSchema: undefined,
  outputFile: undefined,
  questions: { kind: "notOffered" },
  color: "auto",
  reasoning: "summary",
});

function progressPalette(color: Task["color"]): Palette {
  const environment = paletteFromEnvironment(process.env);
  if (color === "always") return { ...environment, color: "basic" };
  return color === "never" || !process.stderr.isTTY ? { ...environment, color: "none" } : environment;
}

/** Resolves with the exit code; standard output has the result and nothing else. */
export async function executeTask(connection: AppConnection, task: Task): Promise<number> {
  const { thread, prompt, output } = task;
  const events = output === "json" ? jsonEvents(writeLine) : output === "sdk" ? sdkEvents(writeLine) : null;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const printer = new TranscriptPrinter({
    write: (text) => void process.stderr.write(text),
    palette: progressPalette(task.color),
    width: process.stderr.columns || 80,
    withoutResult: true,
    reasoning: task.reasoning,
  });
  using abort = abortOnSignals();
  const failing = new AbortController();
  let unanswered: string | null = null;
  let failure: string | null = null;

  const onRequest = async (request: ServerRequest): Promise<unknown> => {
    switch (request.method) {
      case "item/tool/requestUserInput":
        try {
          return await answer(task.questions, request.params, say);
        } catch (error) {
          if (!(error instanceof UnansweredError)) throw error;
          unanswered = error.message;
          failing.abort();
          // The turn is interrupted; whatever is answered now would be taken for an answer.
          return new Promise(() => {});
        }
      case "item/commandExecution/requestApproval":
        say(`not approved, because nobody is here to ask: ${visibleControls(request.params.command ?? "")}`);
        return { decision: "decline" };
      case "item/fileChange/requestApproval":
        say("a change of files was not approved, because nobody is here to ask");
        return { decision: "decline" };
      default:
        throw new Error(`${request.method} is not supported by exec`);
    }
  };

  events?.started(thread);
  if (output === "text")
    say(`turnkit · ${thread.model} (${thread.modelProvider}) · ${thread.cwd} · thread ${thread.thread.id}`);
  const { turn, message } = await runTurn({
    connection,
    start: {
      threadId: thread.thread.id,
      input: [...task.images.map((path) => ({ type: "localImage" as const, path })), { type: "text", text: prompt }],
      ...(task.outputSchema === undefined ? {} : { outputSchema: task.outputSchema }),
    },
    onNotification: (notification) => {
      if (notification.method === "error" && !notification.params.willRetry)
        failure = notification.params.error.message;
      events?.notification(notification);
      if (output === "text") printer.notification(notification);
    },
    onRequest,
    signal: AbortSignal.any([abort.signal, failing.signal]),
  });
  const error = unanswered ?? turn.error?.message ?? failure;
  const exitCode = exitCodeOf(turn.status, unanswered, abort.signal.aborted ? abort.exitCode : null);
  events?.ended({ status: turn.status, message, error, exitCode });
  if (exitCode === ExitCode.ok) {
    if (output === "text" && message !== "") writeLine(message);
    if (task.outputFile !== undefined) await writeMessage(task.outputFile, message);
  } else if (output === "text") {
    printer.release();
    say(`turnkit: ${error === null ? `the turn was ${turn.status}` : errorText(error)}`);
  }
  return exitCode;
}

function exitCodeOf(status: string, unanswered: string | null, signalled: number | null): number {
  if (unanswered !== null) return ExitCode.unanswered;
  if (signalled !== null) return signalled;
  if (status === "completed") return ExitCode.ok;
  return status === "interrupted" ? ExitCode.interrupted : ExitCode.failed;
}

async function writeMessage(file: string, message: string): Promise<void> {
  await writeFile(file, message).catch((error: unknown) => {
    process.stderr.write(`turnkit: cannot write ${file}: ${messageOf(error)}\n`);
  });
}

const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);
