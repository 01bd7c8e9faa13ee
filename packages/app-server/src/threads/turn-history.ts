/**
 * Rebuilds the turns that clients see from the lines of a rollout, for files of every era. Pure.
 * Legacy files hold mirrors of messages (`user_message`, `agent_message`, …); paginated ones hold whole items.
 * Items of legacy files get ids `item-N`, counted over the thread.
 */
import type { EventMsg, RolloutLine } from "@turnkit/protocol";
import type { ThreadItem, Turn, TurnStatus } from "@turnkit/protocol/app";
import { toTurnError } from "../events/error-info.js";
import { emptyTurn } from "../events/event-projector.js";
import { toThreadItem } from "../events/turn-item.js";
import { legacyUserMessage } from "./legacy-user-message.js";

interface Building {
  turn: Turn;
  /** Started by an explicit event, as files of newer versions do. */
  explicit: boolean;
}

type Event<Type extends EventMsg["type"]> = Extract<EventMsg, { type: Type }>;

class HistoryBuilder {
  readonly turns: Turn[] = [];
  #open: Building | undefined;
  #items = 0;

  event(msg: EventMsg, line: number): void {
    switch (msg.type) {
      case "task_started":
        this.#close("interrupted");
        this.#open = {
          turn: { ...emptyTurn(msg.turn_id), itemsView: "full", startedAt: msg.started_at ?? null },
          explicit: true,
        };
        break;
      case "user_message":
        // Files without turn events: every user message starts a turn.
        if (!this.#open?.explicit) this.#startImplicit(line);
        this.#add({ ...legacyUserMessage(msg), id: this.#nextItemId() });
        break;
      case "agent_message":
        this.#add({
          type: "agentMessage",
          id: this.#nextItemId(),
          text: msg.message,
          phase: msg.phase ?? null,
          memoryCitation: null,
          delivery: null,
        });
        break;
      case "agent_reasoning":
        this.#reasoning(msg.text);
        break;
      case "context_compacted":
        if (this.#open) this.#add({ type: "contextCompaction", id: this.#nextItemId() });
        break;
      case "item_completed":
        this.#item(msg);
        break;
      case "task_complete":
        this.#complete(msg);
        break;
      case "turn_aborted":
        this.#finish(msg, "interrupted");
        break;
      case "thread_rolled_back":
        this.#close("completed");
        this.turns.splice(Math.max(0, this.turns.length - msg.num_turns));
        break;
      default:
        break;
    }
  }

  /** `running`: the last turn has not ended because it is still going on. */
  end(running: boolean): Turn[] {
    if (this.#open) {
      const unended = this.#open.explicit ? (running ? "inProgress" : "interrupted") : "completed";
      this.#close(unended);
    }
    return this.turns;
  }

  #nextItemId(): string {
    this.#items += 1;
    return `item-${this.#items}`;
  }

  #startImplicit(line: number): void {
    this.#close("completed");
    this.#open = { turn: { ...emptyTurn(`rollout-${line}`), itemsView: "full" }, explicit: false };
  }

  #add(item: ThreadItem): void {
    if (!this.#open) return;
    this.#open.turn = { ...this.#open.turn, items: [...this.#open.turn.items, item] };
  }

  /** Consecutive summaries belong to one reasoning item. */
  #reasoning(text: string): void {
    const last = this.#open?.turn.items.at(-1);
    if (this.#open && last?.type === "reasoning") {
      const merged: ThreadItem = { ...last, summary: [...(last.summary ?? []), text] };
      this.#open.turn = { ...this.#open.turn, items: [...this.#open.turn.items.slice(0, -1), merged] };
      return;
    }
    this.#add({ type: "reasoning", id: this.#nextItemId(), summary: [text], content: [] });
  }

  #item(msg: Event<"item_completed">): void {
    const item = toThreadItem(msg.item);
    if (!item) return;
    if (this.#open?.turn.id === msg.turn_id) {
      this.#add(item);
      return;
    }
    // A background process may end after its turn.
    const index = this.turns.findIndex((turn) => turn.id === msg.turn_id);
    const turn = this.turns[index];
    if (turn) this.turns[index] = { ...turn, items: [...turn.items, item] };
  }

  #complete(msg: Event<"task_complete">): void {
    const error = msg.error ? toTurnError(msg.error.message, msg.error.codex_error_info) : null;
    if (this.#open && error) this.#open.turn = { ...this.#open.turn, error };
    this.#finish(msg, error ? "failed" : "completed");
  }

  #finish(msg: Event<"task_complete"> | Event<"turn_aborted">, status: TurnStatus): void {
    if (!this.#open) return;
    this.#open.turn = {
      ...this.#open.turn,
      startedAt: this.#open.turn.startedAt ?? msg.started_at ?? null,
      completedAt: msg.completed_at ?? null,
      durationMs: msg.duration_ms ?? null,
    };
    this.#close(status);
  }

  #close(status: TurnStatus): void {
    if (this.#open) this.turns.push({ ...this.#open.turn, status });
    this.#open = undefined;
  }
}

export function turnsOf(lines: Iterable<RolloutLine>, running = false): Turn[] {
  const builder = new HistoryBuilder();
  let index = 0;
  for (const line of lines) {
    if (line.type === "event_msg") builder.event(line.payload, index);
    index += 1;
  }
  return builder.end(running);
}

/** First message of the person and last one of the agent. */
export function summarize(turn: Turn): Turn {
  const first = turn.items.find((item) => item.type === "userMessage");
  const last = turn.items.findLast((item) => item.type === "agentMessage");
  return { ...turn, items: [first, last].filter((item) => item !== undefined), itemsView: "summary" };
}
