/**
 * `turnkit demo`: a whole turn with a scripted model over real HTTP. It asks, starts a program in a terminal, types
 * into it and reports. In a terminal the person answers; elsewhere the demo answers by itself and says so.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AppResult } from "@turnkit/protocol/app";
import { allValues, type CommandRun } from "../../arguments/command-spec.js";
import { configOverrides, threadParams } from "../../arguments/thread-options.js";
import type { AppConnection } from "../../client/app-connection.js";
import { connect } from "../../client/connect.js";
import { runTurn } from "../../client/run-turn.js";
import { scriptedOverrides, startScript } from "../../client/scripted-provider.js";
import { TranscriptPrinter } from "../../client/transcript-printer.js";
import { ExitCode, signalExitCode } from "../../exit.js";
import {
  bold,
  dim,
  type Line,
  lineOf,
  type Palette,
  paletteFromEnvironment,
  plain,
  renderLine,
  tinted,
} from "../../tui/terminal/style.js";
import { abortOnSignals, type SignalAbort } from "../abort-on-signals.js";
import { isInteractive } from "../terminal-check.js";
import { answerQuestions, parseAnswers } from "./answers.js";
import { closingLines } from "./closing.js";
import { PROGRAM, PROGRAM_NAME } from "./program.js";
import { demoScript } from "./script.js";

const PROMPT = "Paint a flag for my project. Ask me what it should look like.";

const INTRO: readonly Line[] = [
  lineOf(bold("Turnkit demo"), dim(" — a scripted model on this machine; no key, no network.")),
  lineOf(dim("It asks two questions, starts a program in a terminal, types into it, and reports.")),
];

export const run: CommandRun = async (parsed) => {
  if (parsed.switches.has("print-script")) {
    process.stdout.write(`${JSON.stringify(demoScript("."), null, 2)}\n`);
    return ExitCode.ok;
  }
  const given = parseAnswers(allValues(parsed, "answer"));
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-demo-"));
  try {
    await writeFile(path.join(folder, PROGRAM_NAME), PROGRAM);
    await using model = await startScript(
      demoScript(folder),
      "the demo's script",
      (message) => void process.stderr.write(`${message}\n`),
    );
    const interactive = isInteractive();
    await using connection = await connect({
      remote: undefined,
      overrides: [
        ...scriptedOverrides(model.url),
        "features.default_mode_request_user_input=true",
        // The demo chose the feature, the person did not.
        "suppress_unstable_features_warning=true",
        ...configOverrides(parsed),
      ],
      name: interactive ? "turnkit_tui" : "turnkit_exec",
      log: undefined,
    });
    const opened = await connection.request("thread/start", {
      approvalPolicy: "never",
      // The program only prints; demonstrations also run where no sandbox is installed.
      sandbox: "danger-full-access",
      ...threadParams(parsed),
    });
    return interactive && given.size === 0 ? await watch(connection, opened) : await alone(connection, opened, given);
  } finally {
    // The server's last writes may still come.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
};

type Opened = AppResult<"thread/start">;

function printTo(stream: NodeJS.WriteStream, palette: Palette): (lines: readonly Line[]) => void {
  return (lines) => void stream.write(lines.map((line) => `${renderLine(line, palette)}\n`).join(""));
}

/** With a person: the interface, until the turn has ended. */
async function watch(connection: AppConnection, opened: Opened): Promise<number> {
  const { runInterface } = await import("../../tui/run-interface.js");
  const { state, endedBy } = await runInterface({
    connection,
    opened: opened as never,
    banner: [...INTRO],
    prompt: PROMPT,
    once: true,
  });
  const status = state.transcript.lastTurn?.status;
  printTo(
    process.stdout,
    paletteFromEnvironment(process.env),
  )(closingLines(opened.thread.id, opened.thread.path ?? null));
  if (endedBy !== null) return signalExitCode(endedBy);
  if (status === "completed") return ExitCode.ok;
  return status === "failed" ? ExitCode.failed : ExitCode.interrupted;
}

/** Without one: everything is printed as it happens. */
async function alone(connection: AppConnection, opened: Opened, given: ReadonlyMap<string, string>): Promise<number> {
  const environment = paletteFromEnvironment(process.env);
  const palette: Palette = process.stdout.isTTY ? environment : { ...environment, color: "none" };
  const print = printTo(process.stdout, palette);
  const printer = new TranscriptPrinter({
    write: (text) => void process.stdout.write(text),
    palette,
    width: process.stdout.columns || 80,
  });
  using abort: SignalAbort = abortOnSignals();
  print(INTRO);
  const { turn } = await runTurn({
    connection,
    start: { threadId: opened.thread.id, input: [{ type: "text", text: PROMPT }] },
    onNotification: (notification) => printer.notification(notification),
    onRequest: async (request) => {
      if (request.method !== "item/tool/requestUserInput")
        throw new Error(`${request.method} cannot be answered in the demo`);
      const response = answerQuestions(request.params.questions, given);
      printer.lines(answeredLines(request.params.questions, response.answers, given));
      return response;
    },
    signal: abort.signal,
  });
  print([[], ...closingLines(opened.thread.id, opened.thread.path ?? null)]);
  if (abort.signal.aborted) return abort.exitCode;
  return turn.status === "completed" ? ExitCode.ok : ExitCode.failed;
}

function answeredLines(
  questions: readonly { readonly id: string; readonly question: string }[],
  answers: Readonly<Record<string, { readonly answers: readonly string[] }>>,
  given: ReadonlyMap<string, string>,
): Line[] {
  const who =
    given.size > 0 ? "from the command line and, where nothing was given, by the demo itself" : "by the demo itself";
  return [
    lineOf(tinted("warning", "! "), bold("Nobody was asked: "), `these answers were given ${who}.`),
    ...questions.flatMap((question): Line[] => [
      [dim("  • "), plain(question.question)],
      [dim("    answer: "), tinted("accent", (answers[question.id]?.answers ?? []).join(", ") || "(unanswered)")],
    ]),
  ];
}
