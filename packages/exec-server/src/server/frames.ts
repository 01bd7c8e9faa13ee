/**
 * Output notifications as bytes. A chunk is encoded once and put between two prepared pieces: building an object and
 * stringifying it costs more than everything else on the way of the output.
 */
import type { HostProcessEvent } from "@turnkit/protocol/exec";

type OutputEvent = Extract<HostProcessEvent, { type: "output" }>;

const SUFFIX = '"}}';

export class OutputFrames {
  readonly #head: Buffer;

  constructor(processId: string) {
    this.#head = Buffer.from(`{"method":"process/output","params":{"processId":${JSON.stringify(processId)},"seq":`);
  }

  of(event: OutputEvent): Buffer {
    const { bytes } = event;
    const middle = `${event.seq},"stream":"${event.stream}","chunk":"`;
    const encodedLength = Math.ceil(bytes.byteLength / 3) * 4;
    const frame = Buffer.allocUnsafe(this.#head.length + middle.length + encodedLength + SUFFIX.length);
    let at = this.#head.copy(frame);
    at += frame.write(middle, at, "latin1");
    const source = bytes as Buffer;
    at += frame.write(source.toString("base64"), at, "latin1");
    frame.write(SUFFIX, at, "latin1");
    return frame;
  }
}
