/** `turnkit exec-server`: options and behaviour belong to the exec-server itself. */
import type { CommandRun } from "../arguments/command-spec.js";

export const run: CommandRun = async ({ raw }) => {
  const { settleProcess } = await import("@turnkit/exec-server/process-settings");
  settleProcess();
  const { runExecServer } = await import("@turnkit/exec-server/server");
  return runExecServer(raw, {
    env: process.env,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
};
