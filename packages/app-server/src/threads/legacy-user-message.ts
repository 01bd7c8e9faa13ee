/**
 * The user message item that a legacy mirror still tells: one text, then images, local images, audio, local audio.
 * The order of the person's input and its skills and mentions are not in the file. Pure.
 */
import type { EventMsg } from "@turnkit/protocol";
import type { AppUserInput, ThreadItem } from "@turnkit/protocol/app";

type UserMessageItem = Extract<ThreadItem, { type: "userMessage" }>;

export function legacyUserMessage(msg: Extract<EventMsg, { type: "user_message" }>): UserMessageItem {
  const content: AppUserInput[] = [];
  if (msg.message !== "") {
    content.push({
      type: "text",
      text: msg.message,
      text_elements: (msg.text_elements ?? []).map(({ byte_range, placeholder }) => ({
        byteRange: { start: byte_range.start, end: byte_range.end },
        placeholder: placeholder ?? null,
      })),
    });
  }
  for (const [index, url] of (msg.images ?? []).entries()) {
    content.push({ type: "image", detail: msg.image_details?.[index] ?? null, url });
  }
  for (const [index, path] of (msg.local_images ?? []).entries()) {
    content.push({ type: "localImage", detail: msg.local_image_details?.[index] ?? null, path });
  }
  for (const url of msg.audio ?? []) content.push({ type: "audio", url });
  for (const path of msg.local_audio ?? []) content.push({ type: "localAudio", path });
  return { type: "userMessage", id: "", clientId: msg.client_id ?? null, content };
}
