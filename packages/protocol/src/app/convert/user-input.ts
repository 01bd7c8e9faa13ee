/** User input between the core's and the app's spelling. Optional members become null on the way to the app. */
import type { TextElement, UserInput } from "../../agent/user-input.js";
import type { AppTextElement, AppUserInput } from "../user-input.js";

export function toAppTextElement(element: TextElement): AppTextElement {
  const { start, end } = element.byte_range;
  return { byteRange: { start, end }, placeholder: element.placeholder ?? null };
}

export function fromAppTextElement(element: AppTextElement): TextElement {
  const { start, end } = element.byteRange;
  return { byte_range: { start, end }, placeholder: element.placeholder ?? null };
}

export function toAppUserInput(input: UserInput): AppUserInput {
  switch (input.type) {
    case "text":
      return { type: "text", text: input.text, text_elements: (input.text_elements ?? []).map(toAppTextElement) };
    case "image":
      return { type: "image", detail: input.detail ?? null, url: input.image_url };
    case "local_image":
      return { type: "localImage", detail: input.detail ?? null, path: input.path };
    case "audio":
      return { type: "audio", url: input.audio_url };
    case "local_audio":
      return { type: "localAudio", path: input.path };
    case "skill":
      return { type: "skill", name: input.name, path: input.path };
    case "mention":
      return { type: "mention", name: input.name, path: input.path };
  }
}

export function fromAppUserInput(input: AppUserInput): UserInput {
  const detail = "detail" in input && input.detail ? { detail: input.detail } : {};
  switch (input.type) {
    case "text":
      return { type: "text", text: input.text, text_elements: (input.text_elements ?? []).map(fromAppTextElement) };
    case "image":
      return { type: "image", image_url: input.url, ...detail };
    case "localImage":
      return { type: "local_image", path: input.path, ...detail };
    case "audio":
      return { type: "audio", audio_url: input.url };
    case "localAudio":
      return { type: "local_audio", path: input.path };
    case "skill":
      return { type: "skill", name: input.name, path: input.path };
    case "mention":
      return { type: "mention", name: input.name, path: input.path };
  }
}
