/**
 * A user message as one text with attachments beside it: what the item says, its legacy event, and back.
 * Ranges of elements are UTF-8 bytes of the joined text.
 */

import { shiftElement, withPlaceholder } from "../text/text-elements.js";
import { utf8Length } from "../text/utf8.js";
import type { EventOf } from "./event.js";
import type { ImageDetail } from "./response-item.js";
import type { TextElement, UserInput } from "./user-input.js";

export type UserMessageEvent = EventOf<"user_message">;

/** All text inputs, joined without a separator. */
export function messageText(content: readonly UserInput[]): string {
  return content.map((input) => (input.type === "text" ? input.text : "")).join("");
}

/** Elements of all texts, moved to where their text lies in the joined one, placeholders filled in. */
export function messageTextElements(content: readonly UserInput[]): TextElement[] {
  const elements: TextElement[] = [];
  let offset = 0;
  for (const input of content) {
    if (input.type !== "text") continue;
    for (const element of input.text_elements ?? []) {
      elements.push(shiftElement(withPlaceholder(element, input.text), offset));
    }
    offset += utf8Length(input.text);
  }
  return elements;
}

function trimmed(details: (ImageDetail | null)[]): (ImageDetail | null)[] {
  let length = details.length;
  while (length > 0 && details[length - 1] === null) length--;
  return details.slice(0, length);
}

/** Details beside the image URLs; trailing nulls are left out. */
export function imageDetails(content: readonly UserInput[]): (ImageDetail | null)[] {
  return trimmed(content.flatMap((input) => (input.type === "image" ? [input.detail ?? null] : [])));
}

/** Details beside the local image paths; trailing nulls are left out. */
export function localImageDetails(content: readonly UserInput[]): (ImageDetail | null)[] {
  return trimmed(content.flatMap((input) => (input.type === "local_image" ? [input.detail ?? null] : [])));
}

export function imageUrls(content: readonly UserInput[]): string[] {
  return content.flatMap((input) => (input.type === "image" ? [input.image_url] : []));
}

export function localImagePaths(content: readonly UserInput[]): string[] {
  return content.flatMap((input) => (input.type === "local_image" ? [input.path] : []));
}

export function audioUrls(content: readonly UserInput[]): string[] {
  return content.flatMap((input) => (input.type === "audio" ? [input.audio_url] : []));
}

export function localAudioPaths(content: readonly UserInput[]): string[] {
  return content.flatMap((input) => (input.type === "local_audio" ? [input.path] : []));
}

/** The legacy event of a user message. Skills and mentions have no place in it. */
export function userMessageEvent(content: readonly UserInput[], clientId?: string | null): UserMessageEvent {
  const details = imageDetails(content);
  const localDetails = localImageDetails(content);
  return {
    type: "user_message",
    ...(typeof clientId === "string" ? { client_id: clientId } : {}),
    message: messageText(content),
    images: imageUrls(content),
    ...(details.length > 0 ? { image_details: details } : {}),
    local_images: localImagePaths(content),
    ...(localDetails.length > 0 ? { local_image_details: localDetails } : {}),
    audio: audioUrls(content),
    local_audio: localAudioPaths(content),
    text_elements: messageTextElements(content),
  };
}

/** What a legacy event still says of the input: text first, then images, local images, audio, local audio. */
export function userInputOfEvent(event: Omit<UserMessageEvent, "type">): UserInput[] {
  const withDetail = (detail: ImageDetail | null | undefined) => (detail ? { detail } : {});
  const inputs: UserInput[] = [];
  if (event.message !== "") {
    inputs.push({ type: "text", text: event.message, text_elements: [...(event.text_elements ?? [])] });
  }
  for (const [index, image_url] of (event.images ?? []).entries()) {
    inputs.push({ type: "image", image_url, ...withDetail(event.image_details?.[index]) });
  }
  for (const [index, path] of (event.local_images ?? []).entries()) {
    inputs.push({ type: "local_image", path, ...withDetail(event.local_image_details?.[index]) });
  }
  for (const audio_url of event.audio ?? []) inputs.push({ type: "audio", audio_url });
  for (const path of event.local_audio ?? []) inputs.push({ type: "local_audio", path });
  return inputs;
}
