/**
 * Reads files that a project brings. Whoever wrote the project may have put a pipe, a device or something endless in
 * their place: none of these may hold up or fill the program.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The file as far as `maxBytes`. @throws {Error} it cannot be read, or is no regular file */
export async function readRegularFile(file: string, maxBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK opening a FIFO waits for a writer for ever.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (!found.isFile()) throw new Error(`${file} is not a regular file`);
  const chunks: Buffer[] = [];
  let left = maxBytes;
  while (left > 0) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(left, 65_536)), 0);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}

/** The whole text. @throws {Error} as above, or it is larger than `maxBytes` */
export async function readRegularText(file: string, maxBytes: number): Promise<string> {
  const bytes = await readRegularFile(file, maxBytes + 1);
  if (bytes.length > maxBytes) throw new Error(`${file} is larger than ${maxBytes} bytes`);
  return bytes.toString("utf8");
}
