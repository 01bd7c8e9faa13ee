/**
 * What the model is shown of a thread: the recorded items in order, and the tokens they have cost.
 * Owns no disk; the recorder keeps the same items in the session's file.
 */
import type { ResponseItem, TokenUsage, TokenUsageInfo } from "@turnkit/protocol";
import { type CompactedItem, compactHistory, type ReplacedHistory, rollBackHistory } from "@turnkit/protocol/rollout";
import { type NormalizeOptions, normalizeHistory } from "./normalize.js";

const NO_USAGE: TokenUsage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
};

export class History {
  #items: ResponseItem[];
  #usage: TokenUsageInfo | null;
  /** What compactions put out of the model's sight; a rollback brings it back. */
  #replaced: ReplacedHistory | null;

  constructor(
    items: readonly ResponseItem[] = [],
    usage: TokenUsageInfo | null = null,
    replaced: ReplacedHistory | null = null,
  ) {
    this.#items = [...items];
    this.#usage = usage;
    this.#replaced = replaced;
  }

  get items(): readonly ResponseItem[] {
    return this.#items;
  }

  get usage(): TokenUsageInfo | null {
    return this.#usage;
  }

  record(items: readonly ResponseItem[]): void {
    for (const item of items) if (item.type !== "other" && item.type !== "compaction_trigger") this.#items.push(item);
  }

  /** @param ownTurn the compaction is a turn of its own, which a rollback counts */
  compact(compaction: CompactedItem, ownTurn: boolean): void {
    this.#take(compactHistory({ items: this.#items, replaced: this.#replaced }, compaction, ownTurn));
  }

  /** The summaries of compactions that the model still reads, newest first. */
  get summaries(): readonly string[] {
    const summaries: string[] = [];
    for (let at = this.#replaced; at !== null; at = at.before.replaced)
      // One without a summary only left images out.
      if (at.summary !== "") summaries.push(at.summary);
    return summaries;
  }

  #take({ items, replaced }: { readonly items: readonly ResponseItem[]; readonly replaced: ReplacedHistory | null }) {
    this.#items = [...items];
    this.#replaced = replaced;
  }

  /** The items with a text in the place of the images that no model has answered yet; undefined: there are none. */
  withoutUnansweredImages(text: string): ResponseItem[] | undefined {
    const answered = this.#items.findLastIndex((item) => item.type === "message" && item.role === "assistant");
    let omitted = false;
    const items = this.#items.map((item, index) => {
      const changed = index > answered ? withoutImages(item, text) : item;
      if (changed !== item) omitted = true;
      return changed;
    });
    return omitted ? items : undefined;
  }

  forModel(options: NormalizeOptions): readonly ResponseItem[] {
    return normalizeHistory(this.#items, options);
  }

  addUsage(usage: TokenUsage, contextWindow: number | null): void {
    const total = this.#usage?.total_token_usage;
    this.#usage = {
      total_token_usage: total ? addUsage(total, usage) : { ...usage },
      last_token_usage: usage,
      model_context_window: contextWindow,
    };
  }

  /** What the history costs now; a provider has not counted it. The total stays. */
  estimateUsage(tokens: number, contextWindow: number | null): TokenUsageInfo {
    const last = { ...NO_USAGE, total_tokens: tokens };
    this.#usage = {
      total_token_usage: this.#usage?.total_token_usage ?? NO_USAGE,
      last_token_usage: last,
      model_context_window: this.#usage?.model_context_window ?? contextWindow,
    };
    return this.#usage;
  }

  /** What came after the model spoke last: its cost has not been counted by a provider. */
  get uncounted(): readonly ResponseItem[] {
    return this.#items.slice(this.#items.findLastIndex(isOfModel) + 1);
  }

  /** A provider refused the history as too long without counting it. The total stays. */
  fillWindow(contextWindow: number): TokenUsageInfo {
    this.#usage = {
      total_token_usage: this.#usage?.total_token_usage ?? NO_USAGE,
      last_token_usage: { ...NO_USAGE, total_tokens: contextWindow },
      model_context_window: contextWindow,
    };
    return this.#usage;
  }

  /** Forgets the newest `turns` turns. */
  rollBack(turns: number): void {
    this.#take(rollBackHistory({ items: this.#items, replaced: this.#replaced }, turns));
  }
}

function isOfModel(item: ResponseItem): boolean {
  switch (item.type) {
    case "message":
      return item.role === "assistant";
    case "reasoning":
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "web_search_call":
    case "tool_search_call":
    case "image_generation_call":
      return true;
    default:
      return false;
  }
}

/** The item itself when it holds no image. */
function withoutImages(item: ResponseItem, text: string): ResponseItem {
  const omit = <Part extends { readonly type: string }>(part: Part) =>
    part.type === "input_image" ? ({ type: "input_text", text } as const) : part;
  if (item.type === "message" && item.content.some((part) => part.type === "input_image"))
    return { ...item, content: item.content.map(omit) };
  if (
    (item.type === "function_call_output" || item.type === "custom_tool_call_output") &&
    Array.isArray(item.output) &&
    item.output.some((part) => part.type === "input_image")
  )
    return { ...item, output: item.output.map(omit) };
  return item;
}

function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    cache_write_input_tokens: (a.cache_write_input_tokens ?? 0) + (b.cache_write_input_tokens ?? 0),
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_output_tokens: a.reasoning_output_tokens + b.reasoning_output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}
