/**
 * The write_stdin tool: typing into a running command, interrupting it, or waiting for it.
 */
import { parseArguments } from "../arguments.js";
import { RespondToModel, type Tool } from "../tool.js";
import { UnifiedExecError } from "./errors.js";
import { execOutput } from "./exec-command.js";
import type { UnifiedExec } from "./unified-exec.js";

const NAME = "write_stdin";

const parameters = {
  type: "object",
  properties: {
    session_id: { type: "number", description: "The session ID that exec_command returned." },
    chars: {
      type: "string",
      description: "What to type, byte for byte. Leave it out (or empty) to wait for output without typing.",
    },
    yield_time_ms: {
      type: "number",
      description:
        "How long to wait for output. After typing: 250 to 30000 ms, default 250. Without typing: 5000 to 300000 ms; default 5000, and four times as long after each look that brought nothing. The end of the command ends the wait.",
    },
    max_output_tokens: {
      type: "number",
      description: "How many tokens of output to return at most. Default: 10000; a policy may cap it.",
    },
  },
  required: ["session_id"],
  additionalProperties: false,
} as const;

export function createWriteStdinTool(options: { readonly exec: UnifiedExec }): Tool {
  return {
    spec: {
      type: "function",
      name: NAME,
      description: "Types into a running command session and returns what it has printed since the last look.",
      strict: false,
      parameters,
    },
    exposure: "direct",
    supportsParallelCalls: true,
    isControl: false,
    accepts: (payload) => payload.kind !== "custom",
    preToolUse: () => undefined,
    withUpdatedInput: (call) => call,
    async run(call, context) {
      if (call.payload.kind !== "function") throw new RespondToModel(`${NAME} handler received unsupported payload`);
      const args = parseWriteArguments(call.payload.arguments);
      try {
        const result = await options.exec.write({
          sessionId: args.sessionId,
          chars: args.chars,
          yieldMs: args.yieldMs,
          turnId: context.turn.id,
          signal: context.signal,
        });
        return execOutput(result, args.maxOutputTokens, context.turn.outputTokenLimit);
      } catch (error) {
        if (error instanceof UnifiedExecError) throw new RespondToModel(`${NAME} failed: ${error.message}`);
        throw error;
      }
    },
  };
}

/** @throws {RespondToModel} */
export function parseWriteArguments(text: string) {
  const args = parseArguments("WriteStdinArgs", text, { session_id: "i32" });
  return {
    sessionId: args.session_id,
    chars: args.chars ?? "",
    yieldMs: args.yield_time_ms ?? undefined,
    maxOutputTokens: args.max_output_tokens ?? undefined,
  };
}
