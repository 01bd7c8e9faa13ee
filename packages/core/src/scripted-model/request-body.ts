/** Reads the body of a request to the scripted model. */
import type { IncomingMessage } from "node:http";
import zlib from "node:zlib";

/** The JSON value of the body, or its text when it is not JSON. @throws {Error} an encoding this runtime cannot undo */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = decode(Buffer.concat(chunks), request.headers["content-encoding"]).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || encoding === "identity") return bytes;
  if (encoding === "gzip") return zlib.gunzipSync(bytes);
  if (encoding === "br") return zlib.brotliDecompressSync(bytes);
  throw new Error(`cannot read a request with content-encoding ${encoding}`);
}
