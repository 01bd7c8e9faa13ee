/** `turnkit fork [ID | --last] [PROMPT]`. */
import type { CommandRun } from "../arguments/command-spec.js";
import { continueThread } from "./continue-thread.js";

export const run: CommandRun = (parsed) => continueThread(parsed, "fork");
