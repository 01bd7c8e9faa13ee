/** Elements over a text: what stands in their place, and moving them when texts are joined. Core and app spellings. */
import type { TextElement } from "../agent/user-input.js";
import { sliceBytes } from "./utf8.js";

/** The explicit placeholder, else the text under the range; null where the range does not fit the text. */
export function effectivePlaceholder(element: TextElement, text: string): string | null {
  return element.placeholder ?? sliceBytes(text, element.byte_range) ?? null;
}

/** The element moved by a number of bytes. The placeholder stays. */
export function shiftElement(element: TextElement, bytes: number): TextElement {
  const { start, end } = element.byte_range;
  return { ...element, byte_range: { ...element.byte_range, start: start + bytes, end: end + bytes } };
}

/** The element with its placeholder filled in from the text where it had none. */
export function withPlaceholder(element: TextElement, text: string): TextElement {
  return { ...element, placeholder: effectivePlaceholder(element, text) };
}
