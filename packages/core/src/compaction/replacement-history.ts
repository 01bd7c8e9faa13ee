/**
 * What stands for a history once it was compacted: the user's messages, newest first within a budget, and the note.
 * Pure.
 */
import type { ContentItem, ResponseItem } from "@turnkit/protocol";
import { isUserMessage } from "@turnkit/protocol/rollout";
import { truncateMiddle } from "@turnkit/tools";
import { userMessage } from "../context/fragments.js";
import { type ItemMarks, markItem } from "../history/metadata.js";
import { withItemId } from "../ids.js";

/** Of all kept messages together. */
export const KEPT_TOKENS = 20_000;
const BYTES_PER_TOKEN = 4;
/** Providers count an attachment by what it shows, not by its bytes. */
const ATTACHMENT_TOKENS = 1_850;

const ATTACHMENTS_LEFT_OUT = "attachments of this message were left out when the conversation was shortened";

type Message = Extract<ResponseItem, { type: "message" }>;

export interface Replacement {
  readonly items: readonly ResponseItem[];
  /** Earlier summaries: they are no messages of the user. */
  readonly summaries: readonly string[];
  /** The new one. */
  readonly summary: string;
  readonly marks: ItemMarks;
  /** Told again within a turn, before the newest message of the user. */
  readonly surroundings: readonly ResponseItem[];
}

export function replacementHistory({ items, summaries, summary, marks, surroundings }: Replacement): ResponseItem[] {
  const known = new Set(summaries);
  const messages = items.filter(isUserMessage).filter((item) => !isSummary(item, known));
  const kept = withinBudget(messages).map(asNew);
  const note = asNew(withoutTime(markItem(userMessage(summary), { ...marks, kinds: ["compaction.summary"] })));
  const newest = kept.pop();
  return [...kept, ...surroundings.map(withoutTime), ...(newest ? [newest] : []), note];
}

const textOf = (message: Message) => message.content.map((part) => ("text" in part ? part.text : "")).join("");

/** `known`: the texts of earlier summaries, for items that are not marked. */
export function isSummary(message: Message, known: ReadonlySet<string>): boolean {
  const kinds = (message as { internal_chat_message_metadata_passthrough?: { content_item_kinds?: readonly string[] } })
    .internal_chat_message_metadata_passthrough?.content_item_kinds;
  return kinds?.[0] === "compaction.summary" || known.has(textOf(message));
}

const isAttachment = ({ type }: ContentItem) => type === "input_image" || type === "input_audio";

function withinBudget(messages: readonly Message[]): Message[] {
  const kept: Message[] = [];
  let left = KEPT_TOKENS;
  for (const message of [...messages].reverse()) {
    if (left <= 0) break;
    const attachments = message.content.filter(isAttachment).length;
    const cost = Math.ceil(Buffer.byteLength(textOf(message)) / BYTES_PER_TOKEN) + attachments * ATTACHMENT_TOKENS;
    kept.push(cost <= left ? message : shortened(message, left, attachments > 0));
    left -= cost;
  }
  return kept.reverse();
}

/** The oldest kept message is cut in its middle, rather than left out. */
function shortened(message: Message, tokens: number, hadAttachments: boolean): Message {
  const text = truncateMiddle(textOf(message), tokens * BYTES_PER_TOKEN);
  const texts = hadAttachments ? [text, ATTACHMENTS_LEFT_OUT] : [text];
  const marks = (message as { internal_chat_message_metadata_passthrough?: object })
    .internal_chat_message_metadata_passthrough;
  return {
    ...message,
    content: texts.map((each) => ({ type: "input_text", text: each })),
    ...(marks && {
      internal_chat_message_metadata_passthrough: { ...marks, content_item_kinds: texts.map(() => "user.text") },
    }),
  } as Message;
}

function asNew(item: ResponseItem): ResponseItem {
  const { id: _, ...rest } = item as ResponseItem & { id?: unknown };
  return withItemId(rest as ResponseItem);
}

function withoutTime(item: ResponseItem): ResponseItem {
  const marked = item as { internal_chat_message_metadata_passthrough?: { create_time?: unknown } };
  const { create_time: _, ...marks } = marked.internal_chat_message_metadata_passthrough ?? {};
  return { ...item, internal_chat_message_metadata_passthrough: marks } as ResponseItem;
}
