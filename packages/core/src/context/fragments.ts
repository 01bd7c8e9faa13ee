/**
 * Texts the program itself adds to a history in the role of user or developer. They are told apart from a person's
 * words by what they start with, also in files of other versions.
 */
import type { ResponseItem } from "@turnkit/protocol";

export const TURN_ABORTED_TEXT =
  "The user interrupted the previous turn on purpose. Any running unified exec processes may still be running in the background. If any tools/commands were aborted, they may have partially executed.";

const MARKERS = [
  "<environment_context>",
  "# AGENTS.md instructions",
  "<user_instructions>",
  "<turn_aborted>",
  "<skill>",
  "<user_shell_command>",
  "<subagent_notification>",
  "<hook_prompt",
];
const EXTERNAL = /^<external_[^>]*>/;

export function isContextText(text: string): boolean {
  const start = text.trimStart();
  return MARKERS.some((marker) => start.startsWith(marker)) || EXTERNAL.test(start);
}

export function messageText(item: ResponseItem): string {
  if (item.type !== "message") return "";
  return item.content.map((part) => ("text" in part ? part.text : "")).join("");
}

/** A message with a person's words: the start of one of their turns. */
export function isUserTurnStart(item: ResponseItem): boolean {
  if (item.type !== "message" || item.role !== "user") return false;
  const [first] = item.content;
  return !(first && first.type === "input_text" && isContextText(first.text));
}

export function userMessage(text: string): ResponseItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

export function developerMessage(texts: readonly string[]): ResponseItem {
  return { type: "message", role: "developer", content: texts.map((text) => ({ type: "input_text", text })) };
}

export function turnAbortedMessage(): ResponseItem {
  return userMessage(`<turn_aborted>\n${TURN_ABORTED_TEXT}\n</turn_aborted>`);
}
