/** Turns of files before 0.34, which hold no events: the model's items are all there is. */
import type { ContentItem, ResponseItem } from "../../agent/response-item.js";
import type { AppUserInput } from "../../app/user-input.js";
import { isUserMessage } from "./context-messages.js";
import type { TurnBuilder } from "./turn-builder.js";

function toInput(part: ContentItem): AppUserInput[] {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return [{ type: "text", text: part.text, text_elements: [] }];
    case "input_image":
      return [{ type: "image", detail: part.detail ?? null, url: part.image_url }];
    case "input_audio":
      return [{ type: "audio", url: part.audio_url }];
  }
}

export function applyBareItem(item: ResponseItem, turns: TurnBuilder, fallbackId: string): void {
  if (isUserMessage(item)) {
    turns.userMessage(fallbackId, {
      type: "userMessage",
      id: turns.nextItemId(),
      clientId: null,
      content: item.content.flatMap(toInput),
    });
  } else if (item.type === "message" && item.role === "assistant") {
    const text = item.content.map((part) => ("text" in part ? part.text : "")).join("");
    if (text === "") return;
    turns.item(fallbackId, {
      type: "agentMessage",
      id: turns.nextItemId(),
      text,
      phase: item.phase ?? null,
      memoryCitation: null,
      delivery: null,
    });
  } else if (item.type === "reasoning") {
    const summary = item.summary.map((part) => part.text).filter((text) => text !== "");
    if (summary.length === 0) return;
    turns.item(fallbackId, { type: "reasoning", id: turns.nextItemId(), summary, content: [] });
  }
}
