/**
 * Starts the person's own program when a turn has ended well, with what happened as its last argument. Nobody waits for
 * it, and it shares nothing with this process. Owns neither when a turn has ended nor what is done about it.
 */
import { spawn } from "node:child_process";
import type { Logger } from "@turnkit/tools";
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
  /** What the person has said in the thread so far. */
  readonly "input-messages": readonly string[];
  readonly "last-assistant-message": string | null;
}

/** The process is there when this returns, or its failure is logged. Never throws. */
export function notifyOfTurn(options: TurnNotifierOptions, notification: TurnNotification, logger: Logger): void {
  const [program, ...args] = options.command;
  if (program === undefined || program === "") return;
  const failed = (error: unknown) => logger.warn(`the program of notify was not started: ${String(error)}`);
  try {
    const child = spawn(program, [...args, JSON.stringify(notification)], {
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
