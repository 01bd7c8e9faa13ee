/** `turnkit app-server`: options and behaviour belong to the app-server itself. */
import type { CommandRun } from "../arguments/command-spec.js";

export const run: CommandRun = async ({ raw }) => {
  const { runAppServer } = await import("@turnkit/app-server");
  return runAppServer(raw, { env: process.env, stderr: (line) => void process.stderr.write(`${line}\n`) });
};
