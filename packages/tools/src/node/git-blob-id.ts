/** The id git gives a file's content. */
import { createHash } from "node:crypto";

/** 40 hex digits. */
export function gitBlobId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
