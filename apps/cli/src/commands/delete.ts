/** `turnkit delete ID`: asks first, because nothing brings a session back. */
import { createInterface } from "node:readline/promises";
import type { CommandRun } from "../arguments/command-spec.js";
import { connect } from "../client/connect.js";
import { findThread } from "../client/find-thread.js";
import { CliError, ExitCode, messageOf } from "../exit.js";
import { visibleControls } from "../tui/terminal/text-width.js";

export const run: CommandRun = async ({ positionals: [id = ""], switches }) => {
  await using connection = await connect({ remote: undefined, overrides: [], name: "turnkit_cli", log: undefined });
  const thread = await findThread(connection, { id, last: false, all: true, cwd: "" });
  if (!switches.has("yes")) {
    if (!process.stdin.isTTY)
      throw new CliError("nobody can be asked here", ExitCode.usage, "--yes deletes without asking.");
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await lines.question(
      `Delete "${visibleControls(thread?.preview ?? id)}" and its session file? [y/N] `,
    );
    lines.close();
    if (!/^y(?:es)?$/i.test(answer.trim())) return ExitCode.ok;
  }
  await connection.request("thread/delete", { threadId: id }).catch((error: unknown) => {
    throw new CliError(`cannot delete ${id}: ${messageOf(error)}`, ExitCode.failed);
  });
  process.stdout.write(`deleted ${id}\n`);
  return ExitCode.ok;
};
