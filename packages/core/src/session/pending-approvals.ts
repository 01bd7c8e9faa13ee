/** Requests for approval that wait for a decision, by their id. */
import type { ReviewDecision } from "@turnkit/protocol";
import type { Logger } from "@turnkit/tools";

interface Holder {
  readonly turnId: string;
  readonly resolve: (decision: ReviewDecision | undefined) => void;
}

export class PendingApprovals {
  readonly #holders = new Map<string, Holder>();

  constructor(private readonly log: Logger) {}

  /** Resolves with the decision, or with undefined when the turn is over. */
  register(id: string, turnId: string): Promise<ReviewDecision | undefined> {
    this.#holders.get(id)?.resolve(undefined);
    return new Promise((resolve) => this.#holders.set(id, { turnId, resolve }));
  }

  decide(id: string, decision: ReviewDecision): boolean {
    const holder = this.#holders.get(id);
    if (!holder) {
      this.log.warn(`No pending approval found for id: ${id}`);
      return false;
    }
    this.#holders.delete(id);
    holder.resolve(decision);
    return true;
  }

  clear(turnId: string): void {
    for (const [id, holder] of [...this.#holders]) {
      if (holder.turnId !== turnId) continue;
      this.#holders.delete(id);
      holder.resolve(undefined);
    }
  }
}
