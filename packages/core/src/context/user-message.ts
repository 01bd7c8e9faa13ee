/** A person's input as an item of a turn, and its legacy mirror: one text, the attachments beside it. */
import type { EventMsg, ImageDetail, TextElement, UserInput } from "@turnkit/protocol";
import { effectivePlaceholder, shiftElement, utf8Length } from "@turnkit/protocol/text";

export function messageOf(content: readonly UserInput[]): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Elements over the joined text, with placeholders filled in from it. */
export function textElementsOf(content: readonly UserInput[]): TextElement[] {
  const elements: TextElement[] = [];
  let offset = 0;
  for (const part of content) {
    if (part.type !== "text") continue;
    for (const element of part.text_elements ?? [])
      elements.push({
        ...shiftElement(element, offset),
        placeholder: effectivePlaceholder(element, part.text) ?? null,
      });
    offset += utf8Length(part.text);
  }
  return elements;
}

/** Details in the order of their images; trailing defaults are cut, and a list of defaults is no list. */
function detailList(details: readonly (ImageDetail | null | undefined)[]): (ImageDetail | null)[] {
  let length = details.length;
  while (length > 0 && (details[length - 1] ?? null) === null) length -= 1;
  return details.slice(0, length).map((detail) => detail ?? null);
}

export function userMessageEvent(content: readonly UserInput[], clientId: string | null): EventMsg {
  const images = content.filter((part) => part.type === "image");
  const localImages = content.filter((part) => part.type === "local_image");
  const imageDetails = detailList(images.map((part) => part.detail));
  const localImageDetails = detailList(localImages.map((part) => part.detail));
  return {
    type: "user_message",
    ...(clientId === null ? {} : { client_id: clientId }),
    message: messageOf(content),
    images: images.map((part) => part.image_url),
    ...(imageDetails.length > 0 ? { image_details: imageDetails } : {}),
    local_images: localImages.map((part) => part.path),
    ...(localImageDetails.length > 0 ? { local_image_details: localImageDetails } : {}),
    audio: content.flatMap((part) => (part.type === "audio" ? [part.audio_url] : [])),
    local_audio: content.flatMap((part) => (part.type === "local_audio" ? [part.path] : [])),
    text_elements: textElementsOf(content),
  };
}
