/** A turn that is nothing but a command of the person's. What was steered into it meanwhile is asked afterwards. */
import type { ErrorEvent } from "@turnkit/protocol";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { reportStart } from "./run-turn.js";
import { runShellCommand, SHELL_KIND } from "./shell-command.js";
import { recordSurroundings } from "./surroundings.js";

export function shellTurn(command: string) {
  return async (runtime: Runtime, turn: ActiveTurn): Promise<ErrorEvent | undefined> => {
    reportStart(runtime, turn);
    const recording = (async () => {
      const item = await runShellCommand(runtime, { command, turnId: turn.id, signal: turn.signal });
      runtime.recordItem(turn.id, item, [SHELL_KIND]);
    })();
    // An interruption waits for it: what the command did belongs before its mark.
    turn.recording = recording;
    await recording;
    turn.throwIfDetached();
    turn.signal.throwIfAborted();
    if (turn.input.hasPending) await recordSurroundings(runtime, turn);
    return undefined;
  };
}
