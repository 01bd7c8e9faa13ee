/**
 * `turnkit exec-server`: options and behaviour belong to the exec-server itself. Owns the settings of the process.
 * Platform fact: V8 compiles and collects on further threads, and each fork makes memory that they touch expensive to
 * write. This process forks all the time and computes little, so it optimizes what is truly hot and collects alone.
 */
import { setFlagsFromString } from "node:v8";
import type { CommandRun } from "../arguments/command-spec.js";

const V8_FLAGS = ["--interrupt-budget=400000", "--no-parallel-scavenge"];

export const run: CommandRun = async ({ raw }) => {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const { runExecServer } = await import("@turnkit/exec-server/server");
  return runExecServer(raw, {
    env: process.env,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  });
};
