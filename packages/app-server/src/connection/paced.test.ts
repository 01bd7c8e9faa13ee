import type { Transport } from "@turnkit/rpc";
import { expect, it } from "vitest";
import { paced } from "./paced.js";

/** A client's end that takes nothing until it is told to. */
class StuckTransport implements Transport {
  bufferedBytes = 0;
  paused = false;
  #drained: (() => void)[] = [];
  send(message: string | Uint8Array): void {
    this.bufferedBytes += message.length;
  }
  takeAll(): void {
    this.bufferedBytes = 0;
    for (const resolve of this.#drained.splice(0)) resolve();
  }
  drained(): Promise<void> {
    return new Promise((resolve) => this.#drained.push(resolve));
  }
  async close(): Promise<void> {}
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  onMessage(): void {}
  onGarbage(): void {}
  onClose(): void {}
}

it("stops reading a client that does not read, and goes on when it does", async () => {
  const stuck = new StuckTransport();
  const transport = paced(stuck);
  transport.send("x".repeat(4 * 1024 * 1024));
  expect(stuck.paused).toBe(false);
  transport.send("y");
  expect(stuck.paused).toBe(true);
  // Whoever else held the transport back does not let it go on before its time.
  transport.resume();
  expect(stuck.paused).toBe(true);
  stuck.takeAll();
  await expect.poll(() => stuck.paused).toBe(false);
  transport.pause();
  expect(stuck.paused).toBe(true);
  transport.resume();
  expect(stuck.paused).toBe(false);
});
