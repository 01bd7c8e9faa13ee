/**
 * Makes a history acceptable to a model: every call has an output, every output has its call, and parts the model
 * cannot take are replaced by a text that says so. Pure; unchanged items stay the same objects.
 */
import type { ContentItem, ResponseItem } from "@turnkit/protocol";

export interface NormalizeOptions {
  readonly modalities: readonly ("text" | "image" | "audio")[];
}

const NO_IMAGES = "image content omitted because you do not support image input";
const NO_AUDIO = "audio content omitted because you do not support audio input";
/** What the model reads for a call that was never answered. */
const ABORTED = "aborted";

export function normalizeHistory(items: readonly ResponseItem[], options: NormalizeOptions): readonly ResponseItem[] {
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    const call = callIdOfCall(item);
    if (call !== undefined) calls.add(call);
    const output = callIdOfOutput(item);
    if (output !== undefined) answered.add(output);
  }
  const images = options.modalities.includes("image");
  const audio = options.modalities.includes("audio");
  const normalized: ResponseItem[] = [];
  for (const item of items) {
    if (item.type === "other" || item.type === "compaction_trigger") continue;
    const output = callIdOfOutput(item);
    if (output !== undefined && !calls.has(output)) continue;
    normalized.push(images && audio ? item : withoutModalities(item, images, audio));
    const call = callIdOfCall(item);
    if (call !== undefined && !answered.has(call)) normalized.push(missingOutput(item, call));
  }
  return normalized;
}

function callIdOfCall(item: ResponseItem): string | undefined {
  switch (item.type) {
    case "function_call":
    case "custom_tool_call":
      return item.call_id;
    case "tool_search_call":
    case "local_shell_call":
      return item.call_id ?? undefined;
    default:
      return undefined;
  }
}

function callIdOfOutput(item: ResponseItem): string | undefined {
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      return item.call_id ?? undefined;
    default:
      return undefined;
  }
}

const synthetic = new WeakMap<ResponseItem, ResponseItem>();

/** The same call gets the same object every time, so that requests stay byte for byte alike. */
function missingOutput(call: ResponseItem, callId: string): ResponseItem {
  const known = synthetic.get(call);
  if (known) return known;
  const output: ResponseItem =
    call.type === "custom_tool_call"
      ? { type: "custom_tool_call_output", call_id: callId, output: ABORTED }
      : call.type === "tool_search_call"
        ? { type: "tool_search_output", call_id: callId, status: "completed", execution: "client", tools: [] }
        : { type: "function_call_output", call_id: callId, output: ABORTED };
  synthetic.set(call, output);
  return output;
}

const replaced = new WeakMap<ResponseItem, ResponseItem>();

function withoutModalities(item: ResponseItem, images: boolean, audio: boolean): ResponseItem {
  const refuses = (part: { readonly type: string }) =>
    (part.type === "input_image" && !images) || (part.type === "input_audio" && !audio);
  const replace = <Part extends { readonly type: string }>(part: Part): Part | { type: "input_text"; text: string } =>
    refuses(part) ? { type: "input_text", text: part.type === "input_image" ? NO_IMAGES : NO_AUDIO } : part;
  if (item.type === "message" && item.content.some(refuses)) {
    const known = replaced.get(item);
    if (known) return known;
    const made: ResponseItem = { ...item, content: item.content.map(replace) as ContentItem[] };
    replaced.set(item, made);
    return made;
  }
  if (
    (item.type === "function_call_output" || item.type === "custom_tool_call_output") &&
    Array.isArray(item.output) &&
    item.output.some(refuses)
  )
    return { ...item, output: item.output.map(replace) } as ResponseItem;
  return item;
}
