/** Fresh identifiers. Threads, turns and messages are UUIDs of version 7; response items carry their kind in front. */
import type { ResponseItem } from "@turnkit/protocol";
import { uuidv7 } from "uuidv7";

export function freshId(): string {
  return uuidv7();
}

const PREFIXES: Readonly<Partial<Record<ResponseItem["type"], string>>> = {
  message: "msg",
  agent_message: "amsg",
  reasoning: "rs",
  local_shell_call: "lsh",
  function_call: "fc",
  tool_search_call: "tsc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  tool_search_output: "tso",
  web_search_call: "ws",
  image_generation_call: "ig",
  compaction: "cmp",
  context_compaction: "cmp",
};

/** The item with an id of its kind, when it has none. */
export function withItemId(item: ResponseItem): ResponseItem {
  const prefix = PREFIXES[item.type];
  const given = (item as { id?: string | null }).id;
  if (prefix === undefined || (given !== undefined && given !== null)) return item;
  const { type, ...rest } = item;
  return { type, id: `${prefix}_${uuidv7()}`, ...rest } as ResponseItem;
}
