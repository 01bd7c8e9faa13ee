/**
 * A person's input as the content of one user message. Local media is read here, once; what cannot be read or used
 * becomes a text that says so, and the rest of the message stays.
 */
import type { ContentItem, ImageDetail, UserInput } from "@turnkit/protocol";
import { IMAGE_UNREADABLE, imageMimeOf, imagePart } from "./image-content.js";
import {
  audioMimeOf,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
  MediaTooLarge,
  readMedia,
  systemReason,
} from "./local-media.js";

export interface MessageContent {
  readonly content: readonly ContentItem[];
  /** What each part is, for the session file. */
  readonly kinds: readonly string[];
}

const AUDIO_TOO_LARGE = "audio content omitted because it exceeded the supported size limit; use a smaller audio file";
const AUDIO_UNREADABLE = "audio content omitted because it could not be processed";
const AUDIO_FORMAT = "audio content omitted because its format is not supported; use wav, mp3, m4a, webm, or ogg";
const AUDIO_DATA = /^data:audio\/(wav|x-wav|mpeg|mp3|mp4|m4a|x-m4a|webm|ogg)[;,]/i;

interface Part {
  readonly item: ContentItem;
  readonly kind: string;
}

const text = (value: string, kind = "user.text"): Part => ({ item: { type: "input_text", text: value }, kind });

function imageItem(item: ContentItem): Part {
  return { item, kind: item.type === "input_image" ? "user.image" : "images.preparation_error" };
}

/** Never fails: a part that cannot be made is replaced by its reason. */
export async function userInputContent(input: readonly UserInput[]): Promise<MessageContent> {
  const parts: Part[] = [];
  let images = 0;
  let audio = 0;
  for (const part of input) {
    switch (part.type) {
      case "text":
        parts.push(text(part.text));
        break;
      case "image":
        images += 1;
        parts.push(imageItem(imagePart(part.image_url, part.detail)));
        break;
      case "local_image":
        images += 1;
        parts.push(...(await localImage(part.path, part.detail, images)));
        break;
      case "audio":
        audio += 1;
        parts.push(remoteAudio(part.audio_url));
        break;
      case "local_audio":
        audio += 1;
        parts.push(...(await localAudio(part.path, audio)));
        break;
      case "skill":
      case "mention":
        break;
    }
  }
  return { content: parts.map(({ item }) => item), kinds: parts.map(({ kind }) => kind) };
}

async function localImage(path: string, detail: ImageDetail | null | undefined, index: number): Promise<Part[]> {
  let bytes: Buffer;
  try {
    bytes = await readMedia(path, MAX_IMAGE_BYTES, "image");
  } catch (error) {
    return [text(`Codex could not read the local image at \`${path}\`: ${systemReason(error)}`)];
  }
  const mime = imageMimeOf(bytes);
  const inner: ContentItem =
    mime === undefined
      ? { type: "input_text", text: IMAGE_UNREADABLE }
      : imagePart(`data:${mime};base64,${bytes.toString("base64")}`, detail);
  return [text(`<image name=[Image #${index}] path="${path}">`), imageItem(inner), text("</image>")];
}

function remoteAudio(url: string): Part {
  if (/^data:/i.test(url))
    return AUDIO_DATA.test(url)
      ? { item: { type: "input_audio", audio_url: url }, kind: "user.audio" }
      : text(AUDIO_FORMAT, "user.audio");
  return text(AUDIO_UNREADABLE, "user.audio");
}

async function localAudio(path: string, index: number): Promise<Part[]> {
  const mime = audioMimeOf(path);
  if (mime === undefined)
    return [
      text(`Codex cannot attach audio at \`${path}\`: unsupported audio format; use wav, mp3, m4a, webm, or ogg.`),
    ];
  let inner: Part;
  try {
    const bytes = await readMedia(path, MAX_AUDIO_BYTES, "audio");
    inner = {
      item: { type: "input_audio", audio_url: `data:${mime};base64,${bytes.toString("base64")}` },
      kind: "user.audio",
    };
  } catch (error) {
    if (!(error instanceof MediaTooLarge))
      return [text(`Codex could not read the local audio at \`${path}\`: ${systemReason(error)}`)];
    inner = text(AUDIO_TOO_LARGE, "user.audio");
  }
  return [text(`<audio name=[Audio #${index}] path="${path}">`), inner, text("</audio>")];
}
