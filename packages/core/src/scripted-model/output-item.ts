/**
 * The items a scripted response may hold, in the spelling of the Responses API, and short ways to write them.
 * Owns no ids: an item without `id` or `call_id` gets one when it is played.
 */

export interface MessageItem {
  readonly type: "message";
  readonly role?: "assistant";
  readonly id?: string;
  readonly content: readonly { readonly type: "output_text"; readonly text: string }[];
  readonly phase?: string;
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly id?: string;
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
  readonly content?: readonly { readonly type: "reasoning_text"; readonly text: string }[];
  readonly encrypted_content?: string | null;
}

export interface FunctionCallItem {
  readonly type: "function_call";
  readonly id?: string;
  readonly call_id?: string;
  readonly name: string;
  readonly namespace?: string;
  /** JSON text, exactly as the model would write it; it need not be valid. */
  readonly arguments: string;
}

export interface CustomToolCallItem {
  readonly type: "custom_tool_call";
  readonly id?: string;
  readonly call_id?: string;
  readonly name: string;
  readonly input: string;
}

/** Any other item: sent as it stands, without deltas. */
export interface RawItem {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type OutputItem = MessageItem | ReasoningItem | FunctionCallItem | CustomToolCallItem | RawItem;

export function message(text: string): MessageItem {
  return { type: "message", content: [{ type: "output_text", text }] };
}

export function reasoning(summary: string | readonly string[], content?: string): ReasoningItem {
  const parts = typeof summary === "string" ? [summary] : summary;
  return {
    type: "reasoning",
    summary: parts.map((text) => ({ type: "summary_text", text })),
    ...(content === undefined ? {} : { content: [{ type: "reasoning_text", text: content }] }),
  };
}

/** `args` that are not a string are written as JSON. */
export function functionCall(name: string, args: unknown, callId?: string): FunctionCallItem {
  return {
    type: "function_call",
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
    ...(callId === undefined ? {} : { call_id: callId }),
  };
}

export function customToolCall(name: string, input: string, callId?: string): CustomToolCallItem {
  return { type: "custom_tool_call", name, input, ...(callId === undefined ? {} : { call_id: callId }) };
}

/** Reads a wire item as the one its `type` names. The names this module knows are only ever built with their fields. */
export type KnownItem = MessageItem | ReasoningItem | FunctionCallItem | CustomToolCallItem;

export function isKnownItem(item: OutputItem): item is KnownItem {
  return ["message", "reasoning", "function_call", "custom_tool_call"].includes(item.type);
}
