/**
 * Starts the person's own program when a turn has ended well, with what happened as its last argument. Nobody waits for
 * it, and it shares nothing with this process. Owns neither when a turn has ended nor what is done about it.
 */
import { spawn } from "node:child_process";
import { type Logger, truncateMiddle } from "@turnkit/tools";
import type { CoverDescriptors } from "../hooks/run-command.js";

export interface TurnNotifierOptions {
  /** A program and its arguments; empty: there is none. */
  readonly command: readonly string[];
  /** Default: this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Needed where terminals live in this process: what the program must not inherit of them. */
  readonly coverDescriptors?: CoverDescriptors;
}

/** The program's last argument, as JSON; names and order are the reference's. */
export interface TurnNotification {
  readonly type: "agent-turn-complete";
  readonly "thread-id": string;
  readonly "turn-id": string;
  readonly cwd: string;
  /** The program on whose behalf the session runs. */
  readonly client?: string;
  /** What the person has said in the thread so far, without the oldest where all of it is too long for an argument. */
  readonly "input-messages": readonly string[];
  readonly "last-assistant-message": string | null;
}

/** Linux takes 128 KiB for one argument. */
const MAX_ARGUMENT_BYTES = 120_000;

/** The newest messages as far as they fit; of a text that does not fit by itself the middle is left out. */
function argumentOf(notification: TurnNotification): string {
  let fitting = notification;
  const text = () => JSON.stringify(fitting);
  const isTooLong = () => Buffer.byteLength(text()) > MAX_ARGUMENT_BYTES;
  const messages = [...notification["input-messages"]];
  const sizes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)) + 1);
  let excess = Buffer.byteLength(text()) - MAX_ARGUMENT_BYTES;
  while (excess > 0 && messages.length > 1) {
    messages.shift();
    excess -= sizes.shift()!;
  }
  if (messages.length < notification["input-messages"].length) fitting = { ...fitting, "input-messages": messages };
  for (let budget = MAX_ARGUMENT_BYTES / 3; isTooLong() && budget > 1; budget = Math.floor(budget / 2)) {
    const last = notification["last-assistant-message"];
    fitting = {
      ...fitting,
      "input-messages": messages.map((message) => truncateMiddle(message, budget)),
      "last-assistant-message": last === null ? null : truncateMiddle(last, budget),
    };
  }
  return text();
}

/** The process is there when this returns, or its failure is logged. Never throws. */
export function notifyOfTurn(options: TurnNotifierOptions, notification: TurnNotification, logger: Logger): void {
  const [program, ...args] = options.command;
  if (program === undefined || program === "") return;
  const failed = (error: unknown) => logger.warn(`the program of notify was not started: ${String(error)}`);
  try {
    const child = spawn(program, [...args, argumentOf(notification)], {
      env: { ...(options.environment ?? process.env) },
      stdio: ["ignore", "ignore", "ignore", ...(options.coverDescriptors?.() ?? [])],
      detached: true,
    });
    child.on("error", failed);
    child.unref();
  } catch (error) {
    // Platform fact: a list of arguments that is too long is thrown, not reported.
    failed(error);
  }
}
