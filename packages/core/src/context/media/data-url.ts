/** Data URLs of media: reading them strictly, writing them. */

export interface DataUrl {
  /** As written, without parameters, in lower case. */
  readonly mime: string;
  readonly bytes: Buffer;
}

export class DataUrlError extends Error {
  override readonly name = "DataUrlError";
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/** @throws {DataUrlError} */
export function parseDataUrl(url: string): DataUrl {
  if (!isDataUrl(url)) throw new DataUrlError("missing data: prefix");
  const comma = url.indexOf(",");
  if (comma < 0) throw new DataUrlError("missing comma separator");
  const [mime = "", ...parameters] = url.slice(5, comma).split(";");
  if (!parameters.some((parameter) => parameter.trim().toLowerCase() === "base64"))
    throw new DataUrlError("only base64 data URLs are supported");
  const payload = url.slice(comma + 1).trim();
  if (payload.length % 4 === 1 || !BASE64.test(payload)) throw new DataUrlError("invalid base64 payload");
  return { mime: mime.trim().toLowerCase(), bytes: Buffer.from(payload, "base64") };
}

/** undefined: the text would be longer than a string can be. */
export function dataUrl(mime: string, bytes: Uint8Array): string | undefined {
  try {
    return `data:${mime};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_STRING_TOO_LONG" || error instanceof RangeError) return undefined;
    throw error;
  }
}
