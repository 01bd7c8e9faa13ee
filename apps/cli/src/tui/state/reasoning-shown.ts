/** How much of what the model thinks is shown: `hide_agent_reasoning` and `show_raw_agent_reasoning`. Pure. */
import type { ServerNotification } from "../../client/app-connection.js";

export type ReasoningShown = "hidden" | "summary" | "raw";

interface Reasoning {
  readonly summary?: readonly string[] | undefined;
  readonly content?: readonly string[] | undefined;
}

/** Its thoughts themselves, where it tells them and they are wanted. */
export function reasoningText({ summary = [], content = [] }: Reasoning, shown: ReasoningShown): string {
  if (shown === "hidden") return "";
  return (shown === "raw" && content.length > 0 ? content : summary).join("\n\n");
}

/** What streams in, as text for the cell; null: nothing of it is shown. */
export function reasoningDelta(notification: ServerNotification, shown: ReasoningShown): string | null {
  const { method, params } = notification;
  if (method === "item/reasoning/textDelta") return shown === "raw" ? params.delta : null;
  if (shown !== "summary") return null;
  if (method === "item/reasoning/summaryTextDelta") return params.delta;
  return method === "item/reasoning/summaryPartAdded" ? "\n\n" : null;
}
