/**
 * Turns the server's events into the turn's. Events that are acted on are validated; the rest are ignored, so that
 * servers may add their own.
 */
import type { ModelStreamEvent, ResponseItem, TokenUsage } from "@turnkit/protocol";
import { formatIssue, validate } from "@turnkit/protocol/validate";
import type { ModelEvent } from "./model-client.js";
import { disconnected, errorOfFailedResponse, ModelError } from "./model-error.js";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function malformed(kind: string, rule: string): ModelError {
  return new ModelError(`the model server sent an event that is not valid: ${kind}: ${rule}`, {
    retryable: true,
    info: "other",
  });
}

/** An event that is acted on, in its shape; undefined for one that is not. @throws {ModelError} malformed */
function actedOn(event: Json): ModelStreamEvent | undefined {
  const result = validate("ModelStreamEvent", event);
  if (result.ok) return result.value;
  const [issue] = result.issues;
  if (issue?.path === "type") return undefined;
  throw malformed(String(event.type), issue ? formatIssue(issue) : "is not valid");
}

function responseItem(event: { readonly type: string; readonly item: Json }): ResponseItem {
  const item = withoutStatus(event.item);
  const result = validate("ResponseItem", item);
  if (result.ok) return result.value;
  // A kind of item this version does not know is carried as unknown instead of ending the turn.
  if (isObject(item) && typeof item.type === "string" && !KNOWN_ITEMS.has(item.type)) return { type: "other" };
  const issue = result.issues[0];
  throw malformed(String(event.type), `item${issue?.path ? `.${issue.path}` : ""} ${issue?.message ?? "is not valid"}`);
}

const KNOWN_ITEMS = new Set(["message", "reasoning", "function_call", "custom_tool_call", "local_shell_call"]);

/** The state of an item is the stream's business; only calls of custom tools keep theirs. */
function withoutStatus(item: Json): Json {
  if (item.type !== "message" && item.type !== "function_call" && item.type !== "reasoning") return item;
  const { status: _, ...rest } = item;
  if (rest.type !== "message" || !Array.isArray(rest.content)) return rest;
  const content = rest.content.map((part: unknown) => {
    if (!isObject(part) || part.type !== "output_text") return part;
    return { type: part.type, text: part.text };
  });
  return { ...rest, content };
}

function usageOf(response: Json): TokenUsage | undefined {
  const { usage } = response;
  if (!isObject(usage)) return undefined;
  const count = (value: unknown) => (typeof value === "number" && value >= 0 ? Math.floor(value) : 0);
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    input_tokens: count(usage.input_tokens),
    cached_input_tokens: count(input.cached_tokens),
    cache_write_input_tokens: count(input.cache_write_tokens),
    output_tokens: count(usage.output_tokens),
    reasoning_output_tokens: count(output.reasoning_tokens),
    total_tokens: count(usage.total_tokens),
  };
}

/**
 * undefined: an event that changes nothing here.
 * @throws {ModelError} the server reports a failure, or the event is malformed
 */
export function modelEvent(data: string): ModelEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw malformed("data", "must be JSON");
  }
  if (!isObject(value)) throw malformed("data", "must be an object");
  const event = actedOn(value);
  switch (event?.type) {
    case "response.created":
      return { type: "created" };
    case "response.output_item.added":
      return { type: "itemAdded", item: responseItem(event) };
    case "response.output_item.done":
      return { type: "itemDone", item: responseItem(event) };
    case "response.output_text.delta":
      return { type: "textDelta", itemId: event.item_id, delta: event.delta };
    case "response.reasoning_summary_part.added":
      return {
        type: "reasoningSummaryPart",
        itemId: event.item_id,
        summaryIndex: event.summary_index,
      };
    case "response.reasoning_summary_text.delta":
      return {
        type: "reasoningSummaryDelta",
        itemId: event.item_id,
        summaryIndex: event.summary_index,
        delta: event.delta,
      };
    case "response.reasoning_text.delta":
      return {
        type: "reasoningTextDelta",
        itemId: event.item_id,
        contentIndex: event.content_index,
        delta: event.delta,
      };
    case "response.completed": {
      const { end_turn: endTurn } = event.response;
      return {
        type: "completed",
        usage: usageOf(event.response),
        endTurn: typeof endTurn === "boolean" ? endTurn : undefined,
      };
    }
    case "response.failed":
      throw errorOfFailedResponse(
        isObject(event.response) && isObject(event.response.error) ? event.response.error : undefined,
      );
    case "response.incomplete": {
      const details = isObject(event.response) ? event.response.incomplete_details : undefined;
      const reason = isObject(details) && typeof details.reason === "string" ? details.reason : "unknown";
      throw disconnected(`Incomplete response returned, reason: ${reason}`);
    }
    case "error":
      throw errorOfFailedResponse(isObject(event.error) ? event.error : value);
    default:
      return undefined;
  }
}
