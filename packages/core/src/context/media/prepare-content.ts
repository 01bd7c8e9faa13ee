/**
 * Judges the media of a message before it becomes history: what models cannot take is replaced by a text that says
 * so, large images are shrunk. Never fails. Afterwards the history holds nothing that a provider has to refuse.
 */
import type { ContentItem, ImageDetail } from "@turnkit/protocol";
import { DataUrlError, dataUrl, isDataUrl, parseDataUrl } from "./data-url.js";
import { FITTED_LIMITS, ORIGINAL_LIMITS } from "./fit-image.js";
import { MAX_AUDIO_BYTES } from "./local-media.js";
import { ImageError, prepareImage } from "./prepare-image.js";

export const IMAGE_BROKEN = "image content omitted because it could not be processed";
export const IMAGE_LARGE = "image content omitted because it exceeded the supported size limit; use a smaller image";
const IMAGE_REMOTE = "image content omitted because remote image URLs are not supported";
const IMAGE_LOW = "image content omitted because detail 'low' is not supported; use 'high', 'original', or 'auto'";
const AUDIO_BROKEN = "audio content omitted because it could not be processed";
export const AUDIO_LARGE =
  "audio content omitted because it exceeded the supported size limit; use a smaller audio file";
const AUDIO_FORMAT = "audio content omitted because its format is not supported; use wav, mp3, m4a, webm, or ogg";

const AUDIO_TYPES = new Set(
  ["wav", "x-wav", "wave", "mpeg", "mp3", "mp4", "m4a", "x-m4a", "webm", "ogg"].map((type) => `audio/${type}`),
);

const text = (value: string): ContentItem => ({ type: "input_text", text: value });

type ImageItem = Extract<ContentItem, { type: "input_image" }>;

/** The parts in the same order and number. Parts that need no change are the same objects. */
export async function prepareContent(content: readonly ContentItem[]): Promise<readonly ContentItem[]> {
  const prepared: ContentItem[] = [];
  // One after the other: a dozen large pictures decoded at once would need all of their memory at once.
  for (const part of content)
    prepared.push(
      part.type === "input_image"
        ? await prepareImageItem(part)
        : part.type === "input_audio"
          ? judgeAudio(part)
          : part,
    );
  return prepared;
}

async function prepareImageItem(part: ImageItem): Promise<ContentItem> {
  const { image_url: url, detail } = part;
  if (/^https?:/i.test(url)) return text(IMAGE_REMOTE);
  if (detail === "low") return text(IMAGE_LOW);
  if (!isDataUrl(url)) return part;
  try {
    const { bytes, mime } = parseDataUrl(url);
    const image = await prepareImage(bytes, limitsOf(detail));
    if (image.bytes === bytes && image.mime === mime) return part;
    const fresh = dataUrl(image.mime, image.bytes);
    return fresh === undefined ? text(IMAGE_LARGE) : { ...part, image_url: fresh };
  } catch (error) {
    if (error instanceof ImageError) return text(error.problem === "large" ? IMAGE_LARGE : IMAGE_BROKEN);
    if (error instanceof DataUrlError) return text(IMAGE_BROKEN);
    throw error;
  }
}

function limitsOf(detail: ImageDetail | null | undefined) {
  return detail === "original" ? ORIGINAL_LIMITS : FITTED_LIMITS;
}

function judgeAudio(part: Extract<ContentItem, { type: "input_audio" }>): ContentItem {
  const { audio_url: url } = part;
  if (!isDataUrl(url)) return text(AUDIO_BROKEN);
  const [mime = "", ...parameters] = url.slice(5, Math.max(5, url.indexOf(","))).split(";");
  if (!AUDIO_TYPES.has(mime.trim().toLowerCase())) return text(AUDIO_FORMAT);
  if (!url.includes(",") || !parameters.some((parameter) => parameter.trim().toLowerCase() === "base64"))
    return text(AUDIO_BROKEN);
  const bytes = ((url.length - url.indexOf(",") - 1) * 3) / 4;
  return bytes > MAX_AUDIO_BYTES + 3 ? text(AUDIO_LARGE) : part;
}
