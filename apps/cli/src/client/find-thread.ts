/** Which thread a command means: by id, or the latest one. */
import type { Thread } from "@turnkit/protocol/app";
import { CliError, ExitCode, messageOf } from "../exit.js";
import type { AppConnection } from "./app-connection.js";

export interface ThreadChoice {
  readonly id: string | undefined;
  readonly last: boolean;
  /** Threads of every folder count. */
  readonly all: boolean;
  readonly cwd: string;
}

/** null: the person has to choose. @throws {CliError} there is no such thread */
export async function findThread(connection: AppConnection, choice: ThreadChoice): Promise<Thread | null> {
  if (choice.id !== undefined) {
    try {
      return (await connection.request("thread/read", { threadId: choice.id })).thread;
    } catch (error) {
      const hint = "`turnkit resume` without an id lists the threads.";
      throw new CliError(`there is no thread ${choice.id}: ${messageOf(error)}`, ExitCode.input, hint, {
        cause: error,
      });
    }
  }
  if (!choice.last) return null;
  const { data } = await connection.request("thread/list", {
    limit: 1,
    sortKey: "updated_at",
    ...(choice.all ? {} : { cwd: choice.cwd }),
  });
  const [latest] = data;
  if (latest) return latest;
  const where = choice.all ? "" : ` in ${choice.cwd}`;
  throw new CliError(
    `there is no thread to resume${where}`,
    ExitCode.input,
    choice.all ? undefined : "--all looks in every folder.",
  );
}
