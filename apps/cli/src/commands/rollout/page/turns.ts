/** The lines of a session as turns, each with its blocks in the order in which they happened. */
import { isUserMessage, type RolloutRecord } from "@turnkit/protocol/rollout";
import { callBlock, contentHtml, type Outputs } from "./calls.js";
import { block, type Fields, fields, folded, list, text } from "./html.js";
import { markdown } from "./markdown.js";

export interface Entry {
  readonly time: string | null;
  readonly html: string;
}

export interface PageTurn {
  /** What the person said first; "" when nothing was said. */
  title: string;
  readonly time: string | null;
  readonly entries: Entry[];
  status: "open" | "complete" | "interrupted" | "failed";
  durationMs: number | null;
}

export function turnsOf(records: readonly RolloutRecord[]): PageTurn[] {
  const lines = records.flatMap((record) => (record.kind === "line" ? [record.value as unknown as Fields] : []));
  const outputs = outputsOf(lines);
  const marked = lines.some((line) => line.type === "event_msg" && STARTED.test(String(fields(line.payload).type)));
  const turns: PageTurn[] = [];
  const begin = (time: string | null): PageTurn => {
    const turn: PageTurn = { title: "", time, entries: [], status: "open", durationMs: null };
    turns.push(turn);
    return turn;
  };
  for (const line of lines) {
    const payload = fields(line.payload);
    const time = typeof line.timestamp === "string" ? line.timestamp : null;
    if (line.type === "event_msg") {
      if (STARTED.test(String(payload.type))) begin(time);
      else eventInto(turns.at(-1) ?? begin(time), payload, time);
    } else if (line.type === "compacted") {
      const html = '<p class="muted">The history so far was summarised.</p>';
      (turns.at(-1) ?? begin(time)).entries.push({ time, html });
    } else if (line.type === "response_item") {
      const said = saidBy(payload);
      if (said !== null && !marked) begin(time);
      const html = itemHtml(payload, outputs, said !== null);
      if (html === null) continue;
      const turn = turns.at(-1) ?? begin(time);
      if (said !== null && turn.title === "") turn.title = said;
      turn.entries.push({ time, html });
    }
  }
  return turns.filter((turn) => turn.entries.length > 0);
}

const STARTED = /^(?:task|turn)_started$/;
const ENDED = /^(?:task|turn)_complete$/;

function eventInto(turn: PageTurn, payload: Fields, time: string | null): void {
  if (ENDED.test(String(payload.type))) {
    turn.status = turn.status === "failed" ? "failed" : "complete";
    turn.durationMs = typeof payload.duration_ms === "number" ? payload.duration_ms : null;
  } else if (payload.type === "turn_aborted") turn.status = "interrupted";
  else if (payload.type === "error") {
    turn.status = "failed";
    turn.entries.push({ time, html: `<p class="warning">${text(payload.message)}</p>` });
  }
}

function outputsOf(lines: readonly Fields[]): Outputs {
  const outputs = new Map<string, unknown>();
  for (const { type, payload } of lines) {
    const item = fields(payload);
    if (type === "response_item" && /call_output$/.test(String(item.type)))
      outputs.set(String(item.call_id), item.output);
  }
  return outputs;
}

/** The person's own words; null for everything else. */
function saidBy(item: Fields): string | null {
  if (!isUserMessage({ ...item, content: list(item.content) } as never)) return null;
  return list(item.content)
    .map((part) => fields(part).text)
    .filter((part) => typeof part === "string")
    .join(" ");
}

const inParagraphs = (value: string): string => `<p class="said">${text(value)}</p>`;

function itemHtml(item: Fields, outputs: Outputs, said: boolean): string | null {
  switch (item.type) {
    case "message":
      if (item.role === "assistant") return block("agent", "Agent", contentHtml(item.content, markdown));
      if (said) return block("user", "You", contentHtml(item.content, inParagraphs));
      // Messages that a harness puts in for the model.
      return folded(
        `Context for the model (${text(item.role)})`,
        contentHtml(item.content, (value) => `<pre>${text(value)}</pre>`),
      );
    case "reasoning": {
      const summary = list(item.summary)
        .map((part) => String(fields(part).text ?? ""))
        .join("\n\n");
      return summary === "" ? null : folded("Reasoning", markdown(summary));
    }
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return callBlock(item, outputs);
    case "web_search_call":
      return block("command", "Web search", `<p class="typed">${text(fields(item.action).query)}</p>`);
    default:
      return null;
  }
}
