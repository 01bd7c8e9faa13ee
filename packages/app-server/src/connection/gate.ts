/**
 * Holds what a client sends until the validators are loaded, except a plainly valid `initialize`.
 * Keeps the order of everything it holds. Used once per connection, then it is only a pass-through.
 */
import type { Transport } from "@turnkit/rpc";

interface GateOptions {
  readonly ready: () => boolean;
  readonly load: () => Promise<void>;
}

export function gated(transport: Transport, { ready, load }: GateOptions): Transport {
  return {
    send: (message) => transport.send(message),
    get bufferedBytes() {
      return transport.bufferedBytes;
    },
    drained: () => transport.drained(),
    close: (code, reason) => transport.close(code, reason),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    onGarbage: (listener) => transport.onGarbage(listener),
    onClose: (listener) => transport.onClose(listener),
    onMessage: (listener) => {
      transport.onMessage((text) => {
        if (ready()) {
          listener(text);
          return;
        }
        if (isPlainInitialize(text)) {
          listener(text);
          return;
        }
        // The transport keeps what follows; this one message is handed over once the validators are there.
        transport.pause();
        load().then(
          () => {
            listener(text);
            transport.resume();
          },
          () => transport.close(1011, "the server could not load its validators"),
        );
      });
    },
  };
}

/** True only for shapes that the full validator certainly accepts. */
export function isPlainInitialize(text: string): boolean {
  if (text.length > 10_000 || !text.includes('"initialize"')) return false;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return false;
  }
  if (!isObject(message) || message.method !== "initialize" || !isObject(message.params)) return false;
  const { clientInfo, capabilities } = message.params;
  if (!isObject(clientInfo) || typeof clientInfo.name !== "string" || typeof clientInfo.version !== "string")
    return false;
  if (clientInfo.title != null && typeof clientInfo.title !== "string") return false;
  return capabilities == null || (isObject(capabilities) && Object.entries(capabilities).every(plainCapability));
}

function plainCapability([name, value]: [string, unknown]): boolean {
  if (name === "optOutNotificationMethods") {
    return value === null || (Array.isArray(value) && value.every((method) => typeof method === "string"));
  }
  return name === "experimentalApi" && typeof value === "boolean";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
