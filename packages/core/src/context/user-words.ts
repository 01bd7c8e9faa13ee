/** What a person has said so far, as texts: a history without what programs put into it. Pure. */
import type { ContentItem, ResponseItem } from "@turnkit/protocol";
import { isUserMessage } from "@turnkit/protocol/rollout";
import { isSummary } from "../compaction/replacement-history.js";

const OPENING = /^<(?:image|audio) name=\[/;
const CLOSING = /^<\/(?:image|audio)>$/;

const isAttachment = (part: ContentItem | undefined) => part?.type === "input_image" || part?.type === "input_audio";

/** One text for each message, in order; `summaries` are those of compactions. Attachments leave no text. */
export function userWords(items: readonly ResponseItem[], summaries: readonly string[]): string[] {
  const known = new Set(summaries);
  return items
    .filter(isUserMessage)
    .filter((message) => !isSummary(message, known))
    .map(({ content }) => content.map((part, index) => wordsOf(part, index, content)).join(""));
}

function wordsOf(part: ContentItem, index: number, content: readonly ContentItem[]): string {
  if (part.type !== "input_text") return "";
  const isLabel =
    (OPENING.test(part.text) && isAttachment(content[index + 1])) ||
    (CLOSING.test(part.text) && isAttachment(content[index - 1]));
  return isLabel ? "" : part.text;
}
