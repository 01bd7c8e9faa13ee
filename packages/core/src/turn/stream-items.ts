/**
 * Turns what a model streams into the items of a turn: begun, growing, done. In Plan mode a proposed plan is taken
 * out of the message and becomes an item of its own. Records each finished item.
 */
import type { ResponseItem, TurnItem } from "@turnkit/protocol";
import type { ModelEvent } from "../model/model-client.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";
import { type PlanSegment, ProposedPlanParser, splitProposedPlan } from "./proposed-plan.js";

interface OpenItem {
  readonly startedAtMs: number;
  readonly plan: ProposedPlanParser | undefined;
}

type Message = Extract<ResponseItem, { type: "message" }>;
type Reasoning = Extract<ResponseItem, { type: "reasoning" }>;

export class StreamItems {
  readonly #open = new Map<string, OpenItem>();
  #planStartedAtMs: number | undefined;
  /** The text of the newest finished message. */
  lastMessage: string | null = null;

  constructor(
    private readonly runtime: Runtime,
    private readonly turn: ActiveTurn,
  ) {}

  get #ids() {
    return { thread_id: this.runtime.parts.threadId, turn_id: this.turn.id };
  }

  get #now(): number {
    return this.runtime.parts.clock.epochMs();
  }

  get #planMode(): boolean {
    return this.turn.start.settings.collaboration_mode.mode === "plan";
  }

  handle(event: ModelEvent): void {
    switch (event.type) {
      case "itemAdded":
        this.#added(event.item);
        break;
      case "textDelta":
        this.#text(event.itemId, event.delta);
        break;
      case "reasoningSummaryPart":
        this.runtime.emit(this.turn.id, {
          type: "agent_reasoning_section_break",
          item_id: event.itemId,
          summary_index: event.summaryIndex,
        });
        break;
      case "reasoningSummaryDelta":
        this.runtime.emit(this.turn.id, {
          type: "reasoning_content_delta",
          ...this.#ids,
          item_id: event.itemId,
          delta: event.delta,
          summary_index: event.summaryIndex,
        });
        break;
      case "reasoningTextDelta":
        this.runtime.emit(this.turn.id, {
          type: "reasoning_raw_content_delta",
          ...this.#ids,
          item_id: event.itemId,
          delta: event.delta,
          content_index: event.contentIndex,
        });
        break;
      case "itemDone":
        this.#done(event.item);
        break;
      default:
        break;
    }
  }

  #start(id: string, item: TurnItem): OpenItem {
    const known = this.#open.get(id);
    if (known) return known;
    const open = {
      startedAtMs: this.#now,
      plan: item.type === "AgentMessage" && this.#planMode ? new ProposedPlanParser() : undefined,
    };
    this.#open.set(id, open);
    this.runtime.emit(this.turn.id, {
      type: "item_started",
      ...this.#ids,
      item,
      started_at_ms: open.startedAtMs,
    });
    return open;
  }

  #complete(id: string, item: TurnItem): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    this.runtime.emit(this.turn.id, {
      type: "item_completed",
      ...this.#ids,
      item,
      started_at_ms: open?.startedAtMs ?? this.#now,
      completed_at_ms: this.#now,
    });
  }

  #added(item: ResponseItem): void {
    const id = itemId(item);
    if (id === undefined) return;
    if (item.type === "message" && item.role === "assistant") this.#start(id, agentMessage(id, "", item));
    if (item.type === "reasoning") this.#start(id, { type: "Reasoning", id, summary_text: [], raw_content: [] });
  }

  #text(id: string, delta: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    const segments = open.plan ? open.plan.push(delta) : [{ type: "text", text: delta } as const];
    for (const segment of segments) this.#segment(id, segment);
  }

  #segment(id: string, segment: PlanSegment): void {
    if (segment.type === "text") {
      this.runtime.emit(this.turn.id, {
        type: "agent_message_content_delta",
        ...this.#ids,
        item_id: id,
        delta: segment.text,
      });
      return;
    }
    const plan = `${this.turn.id}-plan`;
    if (this.#planStartedAtMs === undefined) {
      this.#planStartedAtMs = this.#now;
      this.runtime.emit(this.turn.id, {
        type: "item_started",
        ...this.#ids,
        item: { type: "Plan", id: plan, text: "" },
        started_at_ms: this.#planStartedAtMs,
      });
    }
    this.runtime.emit(this.turn.id, { type: "plan_delta", ...this.#ids, item_id: plan, delta: segment.text });
  }

  #done(item: ResponseItem): void {
    if (item.type === "message" && item.role === "assistant") this.#messageDone(item);
    else if (item.type === "reasoning") this.#reasoningDone(item);
    this.runtime.recordItem(this.turn.id, item);
  }

  #messageDone(item: Message): void {
    const whole = item.content.map((part) => (part.type === "output_text" ? part.text : "")).join("");
    const id = itemId(item) ?? `msg_${this.turn.id}`;
    const open = this.#start(id, agentMessage(id, "", item));
    if (open.plan) for (const segment of open.plan.end()) this.#segment(id, segment);
    const split = open.plan ? splitProposedPlan(whole) : { text: whole, plan: undefined };
    if (split.plan !== undefined) this.#completePlan(split.plan);
    this.#complete(id, agentMessage(id, split.text, item));
    this.lastMessage = split.text;
    this.runtime.emit(this.turn.id, {
      type: "agent_message",
      message: split.text,
      phase: item.phase ?? null,
      memory_citation: null,
    });
  }

  #completePlan(text: string): void {
    const id = `${this.turn.id}-plan`;
    const now = this.#now;
    const item: TurnItem = { type: "Plan", id, text };
    if (this.#planStartedAtMs === undefined)
      this.runtime.emit(this.turn.id, { type: "item_started", ...this.#ids, item, started_at_ms: now });
    this.runtime.emit(this.turn.id, {
      type: "item_completed",
      ...this.#ids,
      item,
      started_at_ms: this.#planStartedAtMs ?? now,
      completed_at_ms: now,
    });
    this.#planStartedAtMs = undefined;
  }

  #reasoningDone(item: Reasoning): void {
    const id = itemId(item) ?? `rs_${this.turn.id}`;
    const summary = item.summary.map((part) => part.text);
    const raw = (item.content ?? []).map((part) => part.text);
    this.#start(id, { type: "Reasoning", id, summary_text: [], raw_content: [] });
    this.#complete(id, { type: "Reasoning", id, summary_text: summary, raw_content: raw });
    for (const text of summary) this.runtime.emit(this.turn.id, { type: "agent_reasoning", text });
  }
}

function itemId(item: ResponseItem): string | undefined {
  return (item as { id?: string | null }).id ?? undefined;
}

function agentMessage(id: string, text: string, item: Message): TurnItem {
  return {
    type: "AgentMessage",
    id,
    content: text === "" ? [] : [{ type: "Text", text }],
    phase: item.phase ?? null,
  };
}
