/**
 * Cells of whole items: those that arrive complete, and those of a thread that is read back. Pure.
 */

import type { AppUserInput, ThreadItem, Turn } from "@turnkit/protocol/app";
import type { Cell, CommandCell, UserCell } from "../transcript/cells.js";
import { errorText } from "../transcript/error-text.js";
import { type ReasoningShown, reasoningText } from "./reasoning-shown.js";

export function userCell(content: readonly AppUserInput[]): UserCell {
  const texts: string[] = [];
  const attachments: string[] = [];
  for (const input of content) {
    switch (input.type) {
      case "text":
        texts.push(input.text);
        break;
      case "localImage":
      case "localAudio":
        attachments.push(input.path);
        break;
      case "image":
      case "audio":
        attachments.push(input.url.startsWith("data:") ? `${input.type} (inline)` : input.url);
        break;
      default:
        attachments.push(`${input.type} ${input.name}`);
    }
  }
  return { kind: "user", text: texts.join("\n"), attachments };
}

const tool = (itemId: string, title: string, status: string): Cell => ({ kind: "tool", itemId, title, status });

function mcpDetails({ arguments: input, result, error }: Extract<ThreadItem, { type: "mcpToolCall" }>) {
  const empty = input == null || (typeof input === "object" && Object.keys(input).length === 0);
  const contents = (result?.content ?? []).map((part) => {
    const { type, text } = part as { readonly type?: string; readonly text?: string };
    return type === "text" ? (text ?? "") : `[${type ?? "content"}]`;
  });
  const output = error
    ? error.message
    : contents.length === 0 && result?.structuredContent != null
      ? JSON.stringify(result.structuredContent)
      : contents.join("\n");
  return { input: empty ? "" : JSON.stringify(input), output };
}

/**
 * The cell of an item that has no live form of its own; null for what a person does not see.
 * @param running the item has started and not ended
 */
export function itemCell(item: ThreadItem, running = false): Cell | null {
  switch (item.type) {
    case "fileChange":
      return {
        kind: "fileChange",
        itemId: item.id,
        status: item.status,
        changes: item.changes.map((change) => ({ path: change.path, kind: change.kind.type, diff: change.diff })),
      };
    case "mcpToolCall":
      return {
        kind: "tool",
        itemId: item.id,
        title: `${item.server} · ${item.tool}`,
        status: item.status,
        details: mcpDetails(item),
      };
    case "dynamicToolCall":
      return tool(item.id, item.namespace ? `${item.namespace} · ${item.tool}` : item.tool, item.status);
    case "webSearch":
      return tool(item.id, `Searched the web: ${item.query}`, "completed");
    case "imageView":
      return tool(item.id, `Looked at ${item.path}`, "completed");
    case "imageGeneration":
      return tool(item.id, item.savedPath ? `Made an image: ${item.savedPath}` : "Made an image", item.status);
    case "plan":
      return { kind: "agent", itemId: item.id, text: item.text, first: true };
    case "contextCompaction":
      return running
        ? tool(item.id, "Summarising the history to free context", "inProgress")
        : tool(item.id, "Summarised the history to free context", "completed");
    case "enteredReviewMode":
      return { kind: "notice", level: "info", text: "Review started." };
    case "exitedReviewMode":
      return { kind: "agent", itemId: item.id, text: item.review, first: true };
    case "collabAgentToolCall":
      return tool(item.id, `Agents: ${item.tool}`, item.status);
    case "subAgentActivity":
      return tool(item.id, `Agent ${item.agentPath}: ${item.kind}`, "completed");
    default:
      return null;
  }
}

/** Everything that a thread read from disk shows. */
export function historyCells(turns: readonly Turn[], reasoning: ReasoningShown = "summary"): Cell[] {
  return turns.flatMap((turn): Cell[] => [
    ...turn.items.flatMap((item): Cell[] => {
      switch (item.type) {
        case "userMessage":
          return [userCell(item.content)];
        case "agentMessage":
          return [{ kind: "agent", itemId: item.id, text: item.text, first: true }];
        case "reasoning": {
          const text = reasoningText(item, reasoning);
          return text === "" ? [] : [{ kind: "reasoning", itemId: item.id, text }];
        }
        case "commandExecution":
          return [commandCell(item, "yielded")];
        default: {
          const cell = itemCell(item);
          return cell ? [cell] : [];
        }
      }
    }),
    ...(turn.status === "interrupted" ? [{ kind: "notice", level: "warning", text: "Interrupted." } as const] : []),
    ...(turn.error ? [{ kind: "notice", level: "error", text: errorText(turn.error.message) } as const] : []),
  ]);
}

/** @param unfinished how a command counts that has not ended */
export function commandCell(
  item: Extract<ThreadItem, { type: "commandExecution" }>,
  unfinished: CommandCell["status"],
): CommandCell {
  return {
    kind: "command",
    itemId: item.id,
    processId: item.processId ?? null,
    command: item.command,
    cwd: item.cwd,
    output: item.aggregatedOutput ?? "",
    status: item.status === "inProgress" ? unfinished : item.status,
    exitCode: item.exitCode ?? null,
    durationMs: item.durationMs ?? null,
  };
}
