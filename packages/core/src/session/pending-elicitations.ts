/**
 * What MCP servers ask of the person: who waits, and until when. While one waits, deadlines move. A question belongs to
 * the turn in which it came and is cancelled with it; one from between the turns waits until it is answered.
 */
import type { EventMsg } from "@turnkit/protocol";
import { freshId } from "../ids.js";
import type { ElicitationAnswer, ElicitationRequest } from "../mcp/elicitation.js";
import type { Elicitations } from "./elicitations.js";

interface Holder {
  readonly turnId: string | null;
  readonly resolve: (answer: ElicitationAnswer) => void;
}

const CANCELLED: ElicitationAnswer = { action: "cancel" };

export class PendingElicitations {
  readonly #holders = new Map<string, Holder>();

  constructor(
    private readonly session: {
      /** Holds the deadlines of the session. */
      readonly elicitations: Elicitations;
      readonly emit: (turnId: string, event: EventMsg) => void;
    },
  ) {}

  /** Asks and waits. The signal ends the wait as if the person had cancelled. */
  async ask(
    server: string,
    turnId: string | null,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    if (signal.aborted) return CANCELLED;
    const id = freshId();
    const key = keyOf(server, id);
    const release = this.session.elicitations.hold();
    const onAbort = () => this.#resolve(key, CANCELLED);
    try {
      const answer = new Promise<ElicitationAnswer>((resolve) => this.#holders.set(key, { turnId, resolve }));
      signal.addEventListener("abort", onAbort, { once: true });
      this.session.emit(turnId ?? "", {
        type: "elicitation_request",
        turn_id: turnId,
        server_name: server,
        id,
        request: wire(request),
      });
      return await answer;
    } finally {
      signal.removeEventListener("abort", onAbort);
      release();
    }
  }

  /** false: nobody waits for it. */
  answer(server: string, id: string, answer: ElicitationAnswer): boolean {
    return this.#resolve(keyOf(server, id), answer);
  }

  /** Those of a turn; with null, all of them. */
  clear(turnId: string | null): void {
    for (const [key, holder] of [...this.#holders])
      if (turnId === null || holder.turnId === turnId) this.#resolve(key, CANCELLED);
  }

  #resolve(key: string, answer: ElicitationAnswer): boolean {
    const holder = this.#holders.get(key);
    if (!holder) return false;
    this.#holders.delete(key);
    holder.resolve(answer);
    return true;
  }
}

function keyOf(server: string, id: string): string {
  return `${server}\0${id}`;
}

function wire(request: ElicitationRequest): Record<string, unknown> {
  const common = { mode: request.mode, _meta: request.meta ?? null, message: request.message };
  return request.mode === "url"
    ? { ...common, url: request.url, elicitation_id: request.elicitationId }
    : { ...common, requested_schema: request.requestedSchema };
}
