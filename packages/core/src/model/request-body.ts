/**
 * The JSON body of a request to the Responses API. Items are sent without what only a session file keeps.
 * The text of an item is cached, so that a long history is turned into JSON once and not once per request.
 */
import type { ResponseItem } from "@turnkit/protocol";
import type { ModelRequest } from "./model-client.js";

const itemTexts = new WeakMap<object, string>();

function itemText(item: ResponseItem): string {
  const known = itemTexts.get(item);
  if (known !== undefined) return known;
  const { internal_chat_message_metadata_passthrough: _, ...sent } = item as ResponseItem & {
    internal_chat_message_metadata_passthrough?: unknown;
  };
  const text = JSON.stringify(sent);
  itemTexts.set(item, text);
  return text;
}

/** Items are recorded once and never changed afterwards; a changed item is a new object. */
export function requestBody(request: ModelRequest): string {
  const text = {
    ...(request.verbosity === undefined ? {} : { verbosity: request.verbosity }),
    ...(request.outputSchema === undefined || request.outputSchema === null
      ? {}
      : {
          format: { type: "json_schema", strict: true, schema: request.outputSchema, name: "codex_output_schema" },
        }),
  };
  const before = { model: request.model, instructions: request.instructions };
  const after = {
    tools: request.tools,
    tool_choice: "auto",
    parallel_tool_calls: request.parallelToolCalls,
    ...(request.reasoning ? { reasoning: reasoningMember(request.reasoning) } : {}),
    store: false,
    stream: true,
    include: request.reasoning ? ["reasoning.encrypted_content"] : [],
    ...(request.serviceTier === undefined ? {} : { service_tier: request.serviceTier }),
    prompt_cache_key: request.promptCacheKey,
    ...(Object.keys(text).length === 0 ? {} : { text }),
    client_metadata: request.metadata,
  };
  const head = JSON.stringify(before);
  const tail = JSON.stringify(after);
  return `${head.slice(0, -1)},"input":[${request.input.map(itemText).join(",")}],${tail.slice(1)}`;
}

function reasoningMember(reasoning: NonNullable<ModelRequest["reasoning"]>) {
  return {
    ...(reasoning.effort === undefined ? {} : { effort: reasoning.effort }),
    ...(reasoning.summary === undefined || reasoning.summary === "none" ? {} : { summary: reasoning.summary }),
  };
}
