/**
 * Builds turns out of a session's records in order: where a turn begins and ends, its status, its items.
 * Owns the rules of turns; what an event says is for `events.ts`.
 */
import type { TurnError } from "../../app/errors.js";
import type { ThreadItem } from "../../app/item.js";
import type { Turn, TurnStatus } from "../../app/turn-model.js";

interface OpenTurn {
  id: string;
  items: ThreadItem[];
  status: TurnStatus;
  error: TurnError | null;
  startedAt: number | null;
  completedAt: number | null;
  durationMs: number | null;
  /** A start was recorded: the turn stands though it may be empty, and further messages steer it. */
  explicit: boolean;
  compacted: boolean;
  /** Neither end nor abort was recorded yet. */
  running: boolean;
}

export interface TurnEnding {
  readonly completedAt: number | null;
  readonly durationMs: number | null;
}

export class TurnBuilder {
  #turns: OpenTurn[] = [];
  #current: OpenTurn | undefined;
  #nextItem = 1;

  /** Ids of items that had none in the file, counted over the thread. */
  nextItemId(): string {
    return `item-${this.#nextItem++}`;
  }

  start(id: string, startedAt: number | null): void {
    this.#finish();
    this.#current = this.#make(id, startedAt, true);
  }

  /** A person's message: begins a turn unless it steers one that was started explicitly. */
  userMessage(fallbackId: string, item: ThreadItem): void {
    const current = this.#current;
    if (current && !current.explicit && !(current.compacted && current.items.length === 0)) this.#finish();
    this.ensure(fallbackId).items.push(item);
  }

  item(fallbackId: string, item: ThreadItem, turnId?: string | null): void {
    const turn = this.#find(turnId) ?? this.ensure(fallbackId);
    const index = turn.items.findIndex((other) => other.id === item.id && other.type === item.type);
    if (index >= 0) turn.items[index] = item;
    else turn.items.push(item);
  }

  /** The last item of the turn that is being built. */
  get lastItem(): ThreadItem | undefined {
    return this.#current?.items.at(-1);
  }

  compacted(fallbackId: string): void {
    this.ensure(fallbackId).compacted = true;
  }

  ensure(fallbackId: string): OpenTurn {
    this.#current ??= this.#make(fallbackId, null, false);
    return this.#current;
  }

  complete(turnId: string, ending: TurnEnding, error: TurnError | null): void {
    const turn = this.#find(turnId) ?? this.#current;
    if (!turn) return;
    this.#end(turn, ending);
    if (error) this.#fail(turn, error);
    else if (turn.status !== "failed") turn.status = "completed";
    if (turn === this.#current) this.#finish();
  }

  abort(turnId: string | null, ending: TurnEnding): void {
    const turn = (turnId ? this.#find(turnId) : undefined) ?? this.#current;
    if (!turn) return;
    this.#end(turn, ending);
    turn.status = "interrupted";
    // What follows belongs to the next turn, except items that name this one.
    if (turn === this.#current) this.#finish();
  }

  fail(error: TurnError): void {
    if (this.#current) this.#fail(this.#current, error);
  }

  rollBack(count: number): void {
    this.#finish();
    this.#turns.length = Math.max(0, this.#turns.length - count);
    this.#nextItem = 1 + this.#turns.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** The turns so far. `running`: the last turn may still be going on. */
  turns(running: boolean): Turn[] {
    this.#finish();
    return this.#turns.map((turn, index) => {
      const open = running && turn.running && turn.explicit && index === this.#turns.length - 1;
      return {
        id: turn.id,
        items: turn.items,
        itemsView: "full",
        status: open ? "inProgress" : turn.status,
        error: turn.error,
        startedAt: turn.startedAt,
        completedAt: turn.completedAt,
        durationMs: turn.durationMs,
      };
    });
  }

  #make(id: string, startedAt: number | null, explicit: boolean): OpenTurn {
    return {
      id,
      items: [],
      status: explicit ? "interrupted" : "completed",
      error: null,
      startedAt,
      completedAt: null,
      durationMs: null,
      explicit,
      compacted: false,
      running: true,
    };
  }

  #end(turn: OpenTurn, ending: TurnEnding): void {
    turn.running = false;
    turn.completedAt = ending.completedAt;
    turn.durationMs = ending.durationMs;
  }

  #fail(turn: OpenTurn, error: TurnError): void {
    turn.status = "failed";
    turn.error = error;
  }

  #find(turnId: string | null | undefined): OpenTurn | undefined {
    if (!turnId) return undefined;
    if (this.#current?.id === turnId) return this.#current;
    return this.#turns.findLast((turn) => turn.id === turnId);
  }

  #finish(): void {
    const turn = this.#current;
    this.#current = undefined;
    if (!turn) return;
    if (turn.items.length > 0 || turn.explicit || turn.compacted) this.#turns.push(turn);
  }
}
