/** Tells what a person wrote from messages of role `user` that the program put into the conversation. */
import type { ResponseItem } from "../../agent/response-item.js";

const opening =
  /^\s*<(?:user_instructions|environment_context|turn_aborted|user_shell_command|skill|subagent_notification|recommended_plugins|hook_prompt|external_[^>\s]*|ide_context|INSTRUCTIONS)[\s>]/;

export function isContextText(text: string): boolean {
  return (
    opening.test(text) || text.startsWith("# AGENTS.md instructions") || text.startsWith("Warning: The maximum number")
  );
}

type Message = Extract<ResponseItem, { type: "message" }>;

/** A message in the person's own words. */
export function isUserMessage(item: ResponseItem): item is Message & { readonly role: "user" } {
  if (item.type !== "message" || item.role !== "user") return false;
  const texts = item.content.filter((part) => part.type === "input_text").map((part) => part.text);
  return item.content.length > 0 && (texts.length === 0 || !texts.some(isContextText));
}
