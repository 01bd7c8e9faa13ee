/** Files without a name that this process holds open, so that no confined process can change them. Owns making them. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns the path under which other programs of this user can open the file as long as this process lives.
 * @throws {Error} there is no room for it
 */
export function heldFile(content: Uint8Array, mode: number): string {
  const path = join(tmpdir(), `turnkit-held-${randomUUID()}`);
  const writer = openSync(path, "wx", mode);
  try {
    writeSync(writer, content);
    closeSync(writer);
    // A file that is open for writing cannot be run.
    return `/proc/${process.pid}/fd/${openSync(path, "r")}`;
  } finally {
    unlinkSync(path);
  }
}
