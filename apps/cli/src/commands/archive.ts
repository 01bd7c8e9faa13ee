/** `turnkit archive ID`. */
import type { CommandRun } from "../arguments/command-spec.js";
import { connect } from "../client/connect.js";
import { CliError, ExitCode, messageOf } from "../exit.js";

export const run: CommandRun = async ({ positionals: [id = ""] }) => {
  await using connection = await connect({ remote: undefined, overrides: [], name: "turnkit_cli", log: undefined });
  await connection.request("thread/archive", { threadId: id }).catch((error: unknown) => {
    throw new CliError(`cannot archive ${id}: ${messageOf(error)}`, ExitCode.input);
  });
  process.stdout.write(`archived ${id}\n`);
  return ExitCode.ok;
};
