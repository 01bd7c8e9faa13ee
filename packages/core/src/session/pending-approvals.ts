/** Requests for approval that wait for a decision, by their id. */
import type { ReviewDecision } from "@turnkit/protocol";
import type { Logger } from "@turnkit/tools";

interface Holder<Decision> {
  readonly turnId: string;
  readonly resolve: (decision: Decision | undefined) => void;
}

export class PendingApprovals<Decision = ReviewDecision> {
  readonly #holders = new Map<string, Holder<Decision>>();

  constructor(private readonly log: Logger) {}

  /** Resolves with the decision, or with undefined when the turn is over. */
  register(id: string, turnId: string): Promise<Decision | undefined> {
    this.#holders.get(id)?.resolve(undefined);
    return new Promise((resolve) => this.#holders.set(id, { turnId, resolve }));
  }

  decide(id: string, decision: Decision): boolean {
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
