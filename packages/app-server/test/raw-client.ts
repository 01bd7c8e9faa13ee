/** A client that sees and sends whole messages, so that tests can hold their exact order. */
import type { Transport } from "@turnkit/rpc";

// biome-ignore lint/suspicious/noExplicitAny: messages are looked at by their members
export type Message = any;

export class RawClient {
  readonly seen: Message[] = [];
  readonly #waiting = new Set<() => void>();
  #nextId = 1;

  constructor(readonly transport: Transport) {
    transport.onMessage((text) => {
      this.seen.push(JSON.parse(text));
      for (const check of this.#waiting) check();
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
    return new Promise((resolve) => {
      const check = () => {
        const found = this.seen.find(accepts);
        if (!found) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  notification(method: string, count = 1): Promise<Message> {
    return this.until(() => this.seen.filter((message) => message.method === method).length >= count).then(
      () => this.seen.filter((message) => message.method === method)[count - 1],
    );
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
