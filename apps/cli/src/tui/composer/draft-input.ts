/**
 * A draft as the input of a turn: pasted blocks expanded, images as inputs of their own with their place in the text.
 */
import type { AppUserInput } from "@turnkit/protocol/app";
import { byteOfIndex } from "@turnkit/protocol/text";
import { expandPastes } from "../text-field/text-field.js";
import type { Draft } from "./composer.js";

export function draftInput(draft: Draft): AppUserInput[] {
  const { text, images } = expandPastes({ ...draft, caret: 0 });
  const trimmed = text.trimEnd();
  const elements = images
    .filter((image) => image.start + image.label.length <= trimmed.length)
    .map((image) => ({
      byteRange: {
        start: byteOfIndex(trimmed, image.start),
        end: byteOfIndex(trimmed, image.start + image.label.length),
      },
      placeholder: image.label,
    }));
  return [
    ...images.map((image): AppUserInput => ({ type: "localImage", path: image.path })),
    { type: "text", text: trimmed, text_elements: elements },
  ];
}
