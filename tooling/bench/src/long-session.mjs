// @ts-check
// A session file of a given size, as a year of work would leave it: turns with reasoning, commands and their output.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";

const turnContext = {
  approval_policy: "never",
  sandbox_policy: { type: "danger-full-access" },
  model: "gpt-5.4",
  summary: "auto",
};

/** @param {number} turn @param {number} bytes */
function outputOf(turn, bytes) {
  const line = `src/module-${turn}.ts: a line of output with "quotes", a tab\tand an é\n`;
  return `Chunk ID: a1b2c3\nWall time: 0.1000 seconds\nProcess exited with code 0\nOutput:\n${line.repeat(Math.ceil(bytes / line.length))}`;
}

/**
 * Writes a legacy session file of at least `bytes` bytes into the home folder.
 * @param {string} home @param {{ cwd: string, bytes: number }} options
 * @returns {{ threadId: string, file: string, turns: number }}
 */
export function writeLongSession(home, { cwd, bytes }) {
  const threadId = "01a20000-0000-7000-8000-000000000001";
  const folder = path.join(home, "sessions/2026/01/02");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `rollout-2026-01-02T03-04-05-${threadId}.jsonl`);
  const descriptor = openSync(file, "w");
  let written = 0;
  let time = Date.UTC(2026, 0, 2, 3, 4, 5);
  /** @param {string} type @param {object} payload */
  const line = (type, payload) => {
    const timestamp = new Date(time++).toISOString();
    const text = `${JSON.stringify({ timestamp, type, payload })}\n`;
    written += writeSync(descriptor, text);
  };
  line("session_meta", {
    session_id: threadId,
    id: threadId,
    timestamp: new Date(time).toISOString(),
    cwd,
    originator: "bench",
    cli_version: "0.150.0",
    source: "vscode",
    model_provider: "mock",
    base_instructions: null,
    history_mode: "legacy",
  });
  let turns = 0;
  for (; written < bytes; turns++) {
    const turn_id = `01a20000-0000-7000-9000-${String(turns).padStart(12, "0")}`;
    line("event_msg", {
      type: "task_started",
      turn_id,
      started_at: 1,
      model_context_window: 258400,
      collaboration_mode_kind: "default",
    });
    line("turn_context", { turn_id, cwd, ...turnContext });
    const said = `please look at module ${turns} and fix what is wrong with it`;
    line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: said }] });
    line("event_msg", { type: "user_message", message: said, images: [], local_images: [], text_elements: [] });
    for (let call = 0; call < 4; call++) {
      const call_id = `call_${turns}_${call}`;
      line("response_item", {
        type: "reasoning",
        id: `rs_${call_id}`,
        summary: [{ type: "summary_text", text: "thinking about it ".repeat(20) }],
        content: null,
        encrypted_content: "gAAAAA".repeat(200),
      });
      line("response_item", {
        type: "function_call",
        name: "exec_command",
        arguments: JSON.stringify({ cmd: `cat src/module-${turns}.ts` }),
        call_id,
      });
      line("response_item", { type: "function_call_output", call_id, output: outputOf(turns, 6_000) });
      line("event_msg", { type: "token_count", info: null, rate_limits: null });
    }
    const answer = "It is fixed. ".repeat(40);
    line("event_msg", { type: "agent_message", message: answer, phase: null });
    line("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] });
    line("event_msg", {
      type: "task_complete",
      turn_id,
      last_agent_message: answer,
      completed_at: 2,
      duration_ms: 1000,
    });
  }
  closeSync(descriptor);
  return { threadId, file, turns };
}
