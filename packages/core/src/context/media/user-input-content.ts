/**
 * A person's input as the content of one user message: labels and counters, files read once. What cannot be read
 * or used becomes a text that says so; the other parts stay.
 * Owns the conversion; judging and shrinking belong to prepare-content, freezing for later to local-media.
 */
import type { ContentItem, ImageDetail, UserInput } from "@turnkit/protocol";
import { dataUrl } from "./data-url.js";
import { FITTED_LIMITS, ORIGINAL_LIMITS } from "./fit-image.js";
import { audioMimeOf, MediaReadError, MediaTooLarge, readMedia } from "./local-media.js";
import { AUDIO_LARGE, IMAGE_LARGE, prepareContent } from "./prepare-content.js";
import { ImageError, prepareImage } from "./prepare-image.js";

/**
 * `process`: local images are judged and shrunk at once, with their path in what is said about bad ones.
 * `defer`: their bytes go along as they are, to be judged where the message becomes history.
 */
export type MediaPreparation = "process" | "defer";

export interface MessageContent {
  readonly content: readonly ContentItem[];
  /** What each part is, for the session file. */
  readonly kinds: readonly string[];
}

interface Part {
  readonly item: ContentItem;
  readonly kind: string;
}

const TEXT_KIND = "user.text";
const IMAGE_KIND = "user.image";
const AUDIO_KIND = "user.audio";
const PROBLEM_KIND = "images.preparation_error";
const UNKNOWN_TYPE = "application/octet-stream";

const text = (value: string, kind = TEXT_KIND): Part => ({ item: { type: "input_text", text: value }, kind });

/** The message as history keeps it: converted, then judged. Never fails. */
export async function userInputContent(input: readonly UserInput[]): Promise<MessageContent> {
  const converted = await convertUserInput(input, "defer");
  const content = await prepareContent(converted.content);
  const kinds = converted.kinds.map((kind, index) =>
    kind === IMAGE_KIND && content[index]!.type === "input_text" ? PROBLEM_KIND : kind,
  );
  return { content, kinds };
}

/** Never fails: a part that cannot be made is replaced by its reason. */
export async function convertUserInput(
  input: readonly UserInput[],
  preparation: MediaPreparation,
): Promise<MessageContent> {
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
        parts.push(image(part.image_url, part.detail));
        break;
      case "local_image":
        images += 1;
        parts.push(...(await localImage(part.path, part.detail, images, preparation)));
        break;
      case "audio":
        audio += 1;
        parts.push({ item: { type: "input_audio", audio_url: part.audio_url }, kind: AUDIO_KIND });
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

function image(url: string, detail: ImageDetail | null | undefined): Part {
  return { item: { type: "input_image", image_url: url, detail: detail ?? "high" }, kind: IMAGE_KIND };
}

async function localImage(
  path: string,
  detail: ImageDetail | null | undefined,
  index: number,
  preparation: MediaPreparation,
): Promise<Part[]> {
  const wrapped = (inner: Part) => [text(`<image name=[Image #${index}] path="${path}">`), inner, text("</image>")];
  try {
    const bytes = await readMedia(path, "image");
    const made = preparation === "defer" ? { mime: UNKNOWN_TYPE, bytes } : await processed(bytes, detail);
    const url = dataUrl(made.mime, made.bytes);
    return wrapped(url === undefined ? text(IMAGE_LARGE, PROBLEM_KIND) : image(url, detail));
  } catch (error) {
    if (error instanceof MediaReadError)
      return [text(`Codex could not read the local image at \`${path}\`: ${error.message}`)];
    if (error instanceof ImageError) return [text(badImage(path, error))];
    throw error;
  }
}

function processed(bytes: Uint8Array, detail: ImageDetail | null | undefined) {
  return prepareImage(bytes, detail === "original" ? ORIGINAL_LIMITS : FITTED_LIMITS);
}

function badImage(path: string, error: ImageError): string {
  if (error.problem === "unsupported")
    return `Codex cannot attach image at \`${path}\`: unsupported image \`${claimedType(path)}\`.`;
  return `Image located at \`${path}\` is invalid: failed to decode image at ${path}: ${error.message}`;
}

/** What the name says, since the bytes say nothing. */
function claimedType(path: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  const types: Readonly<Record<string, string>> = { jpg: "jpeg", svg: "svg+xml", tif: "tiff" };
  if (extension === undefined) return "unknown";
  const known = /^(png|jpe?g|gif|webp|bmp|svg|tiff?|heic|heif|avif|ico)$/.test(extension);
  return known ? `image/${types[extension] ?? extension}` : "unknown";
}

async function localAudio(path: string, index: number): Promise<Part[]> {
  const wrapped = (inner: Part) => [text(`<audio name=[Audio #${index}] path="${path}">`), inner, text("</audio>")];
  const mime = audioMimeOf(path);
  if (mime === undefined)
    return [
      text(`Codex cannot attach audio at \`${path}\`: unsupported audio format; use wav, mp3, m4a, webm, or ogg.`),
    ];
  try {
    const bytes = await readMedia(path, "audio");
    return wrapped({ item: { type: "input_audio", audio_url: dataUrl(mime, bytes)! }, kind: AUDIO_KIND });
  } catch (error) {
    if (error instanceof MediaTooLarge) return wrapped(text(AUDIO_LARGE, AUDIO_KIND));
    if (error instanceof MediaReadError)
      return [text(`Codex could not read the local audio at \`${path}\`: ${error.message}`)];
    throw error;
  }
}
