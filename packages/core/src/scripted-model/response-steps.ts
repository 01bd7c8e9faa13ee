/**
 * A scripted response as the steps of its stream: events, pauses, holds and the ending. Pure.
 * Owns the order and fields of stream events; does not send or wait.
 */
import {
  type CustomToolCallItem,
  type FunctionCallItem,
  isKnownItem,
  type MessageItem,
  type OutputItem,
  type ReasoningItem,
} from "./output-item.js";
import type { ScriptedResponse, ScriptedUsage } from "./scripted-response.js";

export type Step =
  | { readonly kind: "event"; readonly type: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "hold" }
  | { readonly kind: "cut" };

const defaultUsage: ScriptedUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

function event(type: string, fields: Record<string, unknown>): Step {
  return { kind: "event", type, fields };
}

/** Cuts between UTF-16 units but never inside a surrogate pair. */
function halves(text: string): string[] {
  if (text.length < 2) return [text];
  const middle = Math.ceil(text.length / 2);
  const unit = text.charCodeAt(middle);
  const cut = unit >= 0xdc00 && unit <= 0xdfff ? middle + 1 : middle;
  return cut < text.length ? [text.slice(0, cut), text.slice(cut)] : [text];
}

export function* responseSteps(response: ScriptedResponse, requestNumber: number): Generator<Step> {
  const id = response.id ?? `resp_script_${requestNumber}`;
  const gap = response.gapMs ?? 0;
  for (const step of steps(response, id, requestNumber)) {
    yield step;
    if (step.kind === "event" && gap > 0) yield { kind: "pause", ms: gap };
  }
}

function* steps(response: ScriptedResponse, id: string, requestNumber: number): Generator<Step> {
  const head = { id, object: "response" };
  yield event("response.created", { response: { ...head, status: "in_progress", output: [] } });
  if (response.holdAfterCreated) yield { kind: "hold" };
  for (const [index, item] of (response.items ?? []).entries())
    yield* itemSteps(response, withIds(item, requestNumber, index), index);
  if (response.holdBeforeCompleted) yield { kind: "hold" };
  if (response.cut) yield { kind: "cut" };
  else if (response.failed)
    yield event("response.failed", { response: { ...head, status: "failed", error: response.failed } });
  else if (response.incomplete !== undefined)
    yield event("response.incomplete", {
      response: { ...head, status: "incomplete", incomplete_details: { reason: response.incomplete } },
    });
  else if (!response.noCompleted)
    yield event("response.completed", {
      response: {
        ...head,
        status: "completed",
        output: [],
        usage: response.usage ?? defaultUsage,
        ...(response.endTurn === undefined ? {} : { end_turn: response.endTurn }),
      },
    });
}

type Identified<T> = T & { readonly id: string };

function withIds(item: OutputItem, requestNumber: number, index: number): OutputItem {
  if (!isKnownItem(item)) return item;
  const suffix = `script_${requestNumber}_${index}`;
  switch (item.type) {
    case "message":
      return { id: `msg_${suffix}`, role: "assistant", ...item };
    case "reasoning":
      return { id: `rs_${suffix}`, encrypted_content: "enc", ...item };
    case "function_call":
      return { id: `fc_${suffix}`, call_id: `call_${suffix}`, ...item };
    case "custom_tool_call":
      return { id: `ctc_${suffix}`, call_id: `call_${suffix}`, ...item };
  }
}

function* itemSteps(response: ScriptedResponse, item: OutputItem, index: number): Generator<Step> {
  const place = { output_index: index };
  const deltas = response.deltas !== false;
  if (!isKnownItem(item)) {
    yield event("response.output_item.added", { ...place, item });
    yield event("response.output_item.done", { ...place, item });
    return;
  }
  switch (item.type) {
    case "message":
      yield* messageSteps(response, item as Identified<MessageItem>, place, deltas);
      break;
    case "reasoning":
      yield* reasoningSteps(item as Identified<ReasoningItem>, place, deltas);
      yield event("response.output_item.done", { ...place, item });
      return;
    case "function_call":
      yield* functionCallSteps(item as Identified<FunctionCallItem>, place, deltas);
      break;
    case "custom_tool_call":
      yield* customCallSteps(item as Identified<CustomToolCallItem>, place, deltas);
      break;
  }
  yield event("response.output_item.done", { ...place, item: { ...item, status: "completed" } });
}

type Place = { readonly output_index: number };

function* messageSteps(
  response: ScriptedResponse,
  item: Identified<MessageItem>,
  place: Place,
  deltas: boolean,
): Generator<Step> {
  yield event("response.output_item.added", { ...place, item: { ...item, status: "in_progress", content: [] } });
  if (!deltas) return;
  for (const [content_index, { text }] of item.content.entries()) {
    const part = { item_id: item.id, ...place, content_index };
    yield event("response.content_part.added", { ...part, part: { type: "output_text", text: "", annotations: [] } });
    for (const delta of response.deltaParts ?? halves(text)) {
      yield event("response.output_text.delta", { ...part, delta });
      if (response.deltaGapMs) yield { kind: "pause", ms: response.deltaGapMs };
    }
    if (response.holdMidText) yield { kind: "hold" };
    yield event("response.output_text.done", { ...part, text });
  }
}

function* reasoningSteps(item: Identified<ReasoningItem>, place: Place, deltas: boolean): Generator<Step> {
  const { content, ...rest } = item;
  yield event("response.output_item.added", { ...place, item: { ...rest, summary: [] } });
  if (!deltas) return;
  for (const [summary_index, { text }] of item.summary.entries()) {
    const part = { item_id: item.id, ...place, summary_index };
    yield event("response.reasoning_summary_part.added", { ...part, part: { type: "summary_text", text: "" } });
    for (const delta of halves(text)) yield event("response.reasoning_summary_text.delta", { ...part, delta });
    yield event("response.reasoning_summary_text.done", { ...part, text });
  }
  for (const [content_index, { text }] of (content ?? []).entries())
    yield event("response.reasoning_text.delta", { item_id: item.id, ...place, content_index, delta: text });
}

function* functionCallSteps(item: Identified<FunctionCallItem>, place: Place, deltas: boolean): Generator<Step> {
  yield event("response.output_item.added", { ...place, item: { ...item, arguments: "", status: "in_progress" } });
  if (!deltas) return;
  const part = { item_id: item.id, ...place };
  yield event("response.function_call_arguments.delta", { ...part, delta: item.arguments });
  yield event("response.function_call_arguments.done", { ...part, arguments: item.arguments });
}

function* customCallSteps(item: Identified<CustomToolCallItem>, place: Place, deltas: boolean): Generator<Step> {
  yield event("response.output_item.added", { ...place, item: { ...item, input: "", status: "in_progress" } });
  if (!deltas) return;
  const part = { item_id: item.id, call_id: item.call_id, ...place };
  yield event("response.custom_tool_call_input.delta", { ...part, delta: item.input });
  yield event("response.custom_tool_call_input.done", { ...part, input: item.input });
}
