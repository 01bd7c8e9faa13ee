/**
 * The marks a session file keeps on response items: the turn they belong to, when they were made, and what each
 * part of a message is. They never reach the model.
 */
import type { ResponseItem } from "@turnkit/protocol";
import { withItemId } from "../ids.js";

export interface ItemMarks {
  readonly turnId: string;
  readonly epochMs: number;
  /** One for each content part of a message; absent parts count as `unknown`. */
  readonly kinds?: readonly string[] | undefined;
}

function carriesCreateTime(item: ResponseItem): boolean {
  switch (item.type) {
    case "message":
      return item.role === "user" || item.role === "developer";
    case "agent_message":
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      return true;
    default:
      return false;
  }
}

/** A new item with id and marks, ready to be kept. */
export function markItem(item: ResponseItem, marks: ItemMarks): ResponseItem {
  if (item.type === "other" || item.type === "compaction_trigger") return item;
  const kinds = item.type === "message" ? (marks.kinds ?? item.content.map(() => "unknown")) : undefined;
  return {
    ...withItemId(item),
    internal_chat_message_metadata_passthrough: {
      turn_id: marks.turnId,
      ...(carriesCreateTime(item) ? { create_time: marks.epochMs / 1000 } : {}),
      ...(kinds === undefined ? {} : { content_item_kinds: kinds }),
    },
  } as ResponseItem;
}
