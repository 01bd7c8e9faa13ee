/**
 * Reads a client no faster than it reads: while too much for it is unsent, nothing more is taken from it. Replies to a
 * flood that nobody reads would fill the memory otherwise. Does not end connections.
 */
import type { Transport } from "@turnkit/rpc";

/** Unsent bytes at which reading stops; it goes on below the transport's low-water mark. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

export function paced(transport: Transport): Transport {
  let waiting = false;
  return {
    send: (message) => {
      transport.send(message);
      if (waiting || transport.bufferedBytes <= HIGH_WATER_BYTES) return;
      waiting = true;
      transport.pause();
      void transport.drained().then(() => {
        waiting = false;
        transport.resume();
      });
    },
    get bufferedBytes() {
      return transport.bufferedBytes;
    },
    drained: () => transport.drained(),
    close: (code, reason) => transport.close(code, reason),
    pause: () => transport.pause(),
    resume: () => {
      if (!waiting) transport.resume();
    },
    onMessage: (listener) => transport.onMessage(listener),
    onGarbage: (listener) => transport.onGarbage(listener),
    onClose: (listener) => transport.onClose(listener),
  };
}
