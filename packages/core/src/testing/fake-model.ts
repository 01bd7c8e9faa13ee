/** A model without a server: each request is answered by the next function, which may look at it, wait and fail. */
import type { ResponseItem } from "@turnkit/protocol";
import type { ModelClient, ModelEvent, ModelRequest } from "../model/model-client.js";

export type FakeReply = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

let count = 0;

export function assistantMessage(text: string): ResponseItem {
  count += 1;
  return { type: "message", id: `msg_fake_${count}`, role: "assistant", content: [{ type: "output_text", text }] };
}

export function toolCall(name: string, args: unknown, callId: string): ResponseItem {
  return {
    type: "function_call",
    id: `fc_${callId}`,
    call_id: callId,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  };
}

const USAGE = {
  input_tokens: 100,
  cached_input_tokens: 10,
  cache_write_input_tokens: 0,
  output_tokens: 20,
  reasoning_output_tokens: 5,
  total_tokens: 120,
};

/** A whole response of these items. */
export function items(...response: readonly ResponseItem[]): FakeReply {
  return async function* () {
    yield { type: "created" };
    for (const item of response) {
      yield { type: "itemAdded", item };
      yield { type: "itemDone", item };
    }
    yield { type: "completed", usage: USAGE, endTurn: undefined };
  };
}

export function say(text: string): FakeReply {
  return items(assistantMessage(text));
}

/** A response that comes when the test lets it. */
export class Gate {
  #open: () => void = () => {};
  #reached: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  /** Resolves when the model has been asked. */
  readonly reached = new Promise<void>((resolve) => {
    this.#reached = resolve;
  });

  open(): void {
    this.#open();
  }

  /** The reply waits for `open`, or ends when the turn is interrupted. */
  before(reply: FakeReply): FakeReply {
    const gate = this;
    return async function* (request, signal) {
      gate.#reached();
      await new Promise<void>((resolve, reject) => {
        void gate.opened.then(resolve);
        signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
      });
      yield* reply(request, signal);
    };
  }
}

export class FakeModel implements ModelClient {
  readonly requests: ModelRequest[] = [];
  readonly replies: FakeReply[];
  /** Answers when no reply is left. */
  fallback: FakeReply = say("done");
  streamRetries = 0;

  constructor(...replies: readonly FakeReply[]) {
    this.replies = [...replies];
  }

  async *stream(request: ModelRequest, { signal }: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent> {
    this.requests.push(request);
    yield* (this.replies.shift() ?? this.fallback)(request, signal);
  }

  /** The texts of one request's messages, with their roles. */
  texts(at: number): string[] {
    return (this.requests.at(at)?.input ?? []).flatMap((item) =>
      item.type === "message"
        ? item.content.map((part) => `${item.role}: ${"text" in part ? part.text : part.type}`)
        : [],
    );
  }

  outputOf(callId: string): unknown {
    for (const { input } of [...this.requests].reverse())
      for (const item of input)
        if (
          (item.type === "function_call_output" || item.type === "custom_tool_call_output") &&
          item.call_id === callId
        )
          return item.output;
    return undefined;
  }
}
