/** Translates user input between the client form (camelCase, `url`) and the core form (snake_case, `image_url`). Pure. */
import type { UserInput as CoreUserInput } from "@turnkit/protocol";
import type { AppUserInput } from "@turnkit/protocol/app";

/** Order is kept; a client's missing `text_elements` becomes an empty list. */
export function toCoreInput(input: readonly AppUserInput[]): CoreUserInput[] {
  return input.map(toCoreItem);
}

function toCoreItem(item: AppUserInput): CoreUserInput {
  switch (item.type) {
    case "text":
      return {
        type: "text",
        text: item.text,
        text_elements: (item.text_elements ?? []).map((element) => ({
          byte_range: { start: element.byteRange.start, end: element.byteRange.end },
          placeholder: element.placeholder ?? null,
        })),
      };
    case "image":
      return { type: "image", image_url: item.url, ...detailOf(item.detail) };
    case "localImage":
      return { type: "local_image", path: item.path, ...detailOf(item.detail) };
    case "audio":
      return { type: "audio", audio_url: item.url };
    case "localAudio":
      return { type: "local_audio", path: item.path };
    case "skill":
    case "mention":
      return { type: item.type, name: item.name, path: item.path };
  }
}

const detailOf = <Detail>(detail: Detail | null | undefined) => (detail == null ? {} : { detail });

/** The form that clients see in items: every optional member present, null where there is none. */
export function toClientInput(input: readonly CoreUserInput[]): AppUserInput[] {
  return input.map(toClientItem);
}

function toClientItem(item: CoreUserInput): AppUserInput {
  switch (item.type) {
    case "text":
      return {
        type: "text",
        text: item.text,
        text_elements: (item.text_elements ?? []).map((element) => ({
          byteRange: { start: element.byte_range.start, end: element.byte_range.end },
          placeholder: element.placeholder ?? null,
        })),
      };
    case "image":
      return { type: "image", detail: item.detail ?? null, url: item.image_url };
    case "local_image":
      return { type: "localImage", detail: item.detail ?? null, path: item.path };
    case "audio":
      return { type: "audio", url: item.audio_url };
    case "local_audio":
      return { type: "localAudio", path: item.path };
    case "skill":
    case "mention":
      return { type: item.type, name: item.name, path: item.path };
  }
}
