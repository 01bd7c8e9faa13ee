/** A client that sees and sends whole messages, so that tests can hold their exact order. */
import type { Transport } from "@turnkit/rpc";

// biome-ignore lint/suspicious/noExplicitAny: messages are looked at by their members
export type Message = any;

export class RawClient {
  readonly seen: Message[] = [];
  readonly #waiting = new Set<(message: Message) => void>();
  #nextId = 1;

  constructor(readonly transport: Transport) {
    transport.onMessage((text) => {
      const message: Message = JSON.parse(text);
      this.seen.push(message);
      for (const check of this.#waiting) check(message);
    });
  }

  send(message: Message): void {
    this.transport.send(JSON.stringify(message));
  }

  async request(method: string, params: unknown): Promise<Message> {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return this.until((message) => message.id === id && message.method === undefined);
  }

  /** The first message seen so far or later that the predicate accepts. */
  until(accepts: (message: Message) => boolean): Promise<Message> {
    const seen = this.seen.find(accepts);
    if (seen !== undefined) return Promise.resolve(seen);
    return new Promise((resolve) => {
      const check = (message: Message) => {
        if (!accepts(message)) return;
        this.#waiting.delete(check);
        resolve(message);
      };
      this.#waiting.add(check);
    });
  }

  /** The notification of this method that came as number `count`. */
  notification(method: string, count = 1): Promise<Message> {
    let found = 0;
    return this.until((message) => {
      if (message.method === method) found += 1;
      return message.method === method && found === count;
    });
  }

  async hello(capabilities: object = { experimentalApi: true }): Promise<Message> {
    const reply = await this.request("initialize", { clientInfo: { name: "test", version: "1" }, capabilities });
    this.send({ method: "initialized" });
    return reply;
  }

  /** What came, in order, by method; replies as their id. `remoteControl` news have no fixed place. */
  get story(): (string | number)[] {
    return this.seen
      .filter((message) => message.method !== "remoteControl/status/changed")
      .map((message) => (message.method === undefined ? message.id : message.method));
  }
}
