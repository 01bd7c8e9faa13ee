/**
 * What the model is shown of a thread: the recorded items in order, and the tokens they have cost.
 * Owns no disk; the recorder keeps the same items in the session's file.
 */
import type { ResponseItem, TokenUsage, TokenUsageInfo } from "@turnkit/protocol";
import { isUserTurnStart } from "../context/fragments.js";
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

  constructor(items: readonly ResponseItem[] = [], usage: TokenUsageInfo | null = null) {
    this.#items = [...items];
    this.#usage = usage;
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

  replace(items: readonly ResponseItem[]): void {
    this.#items = [...items];
  }

  /**
   * Puts a text in the place of the images that no model has answered yet.
   * @returns false: there were none
   */
  omitUnansweredImages(text: string): boolean {
    const answered = this.#items.findLastIndex((item) => item.type === "message" && item.role === "assistant");
    let omitted = false;
    this.#items = this.#items.map((item, index) => {
      const changed = index > answered ? withoutImages(item, text) : item;
      if (changed !== item) omitted = true;
      return changed;
    });
    return omitted;
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

  /** Drops the newest `turns` turns that a person began. Returns how many there were to drop. */
  dropTurns(turns: number): number {
    const starts = this.#items.flatMap((item, index) => (isUserTurnStart(item) ? [index] : []));
    if (starts.length === 0) return 0;
    const dropped = Math.min(turns, starts.length);
    this.#items = this.#items.slice(0, starts[starts.length - dropped]);
    return dropped;
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
