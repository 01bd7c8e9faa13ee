/**
 * What of a tool's output is kept for the model. Tools keep to the limit themselves where they know what to leave out;
 * this holds the others, and the words of hooks that stand in for an output.
 */
import type { ResponseItem } from "@turnkit/protocol";
import { truncateMiddle } from "@turnkit/tools";

export type OutputBody = Extract<ResponseItem, { type: "function_call_output" }>["output"];

const BYTES_PER_TOKEN = 4;
/** Above the limit of tools, whose own headers come on top of it. */
const SLACK = 1.2;

/** All text together has `limitTokens` and a fifth; pictures and sound stay as they are. */
export function limitedOutput(body: OutputBody, limitTokens: number): OutputBody {
  let left = Math.ceil(limitTokens * SLACK) * BYTES_PER_TOKEN;
  if (typeof body === "string") return truncateMiddle(body, left);
  return body.map((item) => {
    if (item.type !== "input_text") return item;
    const text = truncateMiddle(item.text, left);
    left = Math.max(0, left - Buffer.byteLength(item.text));
    return text === item.text ? item : { ...item, text };
  });
}
