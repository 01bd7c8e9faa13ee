/** What the model reads of the result of an MCP tool, and what is kept of it. Pure but for shrinking images. */
import type { ContentItem, FunctionCallOutputBody } from "@turnkit/protocol";
import { truncateMiddle } from "@turnkit/tools";
import type { McpCallResult } from "./server-facts.js";

type Content = McpCallResult["content"][number];
export type Modality = "text" | "image" | "audio";
export type ModelOutput = FunctionCallOutputBody;

const BYTES_PER_TOKEN = 4;
/** A tool output as a whole may be this much larger than the limit for a command's output. */
const SLACK = 1.2;

/** The result without media that the model does not take. */
export function forModalities(result: McpCallResult, modalities: readonly Modality[]): McpCallResult {
  const content = result.content.map((part): Content => {
    const { type } = part;
    if ((type !== "image" && type !== "audio") || modalities.includes(type)) return part;
    return { type: "text", text: `<${type} content omitted because you do not support ${type} input>` };
  });
  return { ...result, content };
}

function header(seconds: number): string {
  return `Wall time: ${seconds.toFixed(4)} seconds\nOutput:`;
}

/** @param prepare judges and shrinks media */
export async function modelOutput(
  result: McpCallResult,
  seconds: number,
  tokenLimit: number,
  prepare: (content: readonly ContentItem[]) => Promise<readonly ContentItem[]>,
): Promise<ModelOutput> {
  const budget = Math.floor(tokenLimit * BYTES_PER_TOKEN * SLACK);
  const structured = result.structuredContent;
  if (structured != null) return truncateMiddle(`${header(seconds)}\n${JSON.stringify(structured)}`, budget);
  if (!result.content.some(isMedia))
    return truncateMiddle(`${header(seconds)}\n${JSON.stringify(result.content)}`, budget);
  const items: ContentItem[] = [{ type: "input_text", text: header(seconds) }];
  let left = budget;
  for (const part of result.content) {
    if (isMedia(part)) {
      items.push(mediaItem(part));
      continue;
    }
    const whole = part.type === "text" && typeof part.text === "string" ? part.text : JSON.stringify(part);
    const text = truncateMiddle(whole, Math.max(0, left));
    left -= Buffer.byteLength(text);
    items.push({ type: "input_text", text });
  }
  const prepared = await prepare(items);
  // Nothing of a tool is the assistant's own text.
  return prepared.flatMap((item) => (item.type === "output_text" ? [] : [item]));
}

/** A call that came to no result. */
export function failureOutput(message: string, seconds: number): string {
  return `${header(seconds)}\n${JSON.stringify([{ type: "text", text: message }])}`;
}

function isMedia(part: Content): boolean {
  return (part.type === "image" || part.type === "audio") && typeof part.data === "string";
}

function mediaItem(part: Content): ContentItem {
  const url = `data:${String(part.mimeType ?? "application/octet-stream")};base64,${String(part.data)}`;
  if (part.type === "audio") return { type: "input_audio", audio_url: url };
  const { _meta: meta } = part as { readonly _meta?: { readonly "codex/imageDetail"?: unknown } };
  const detail = meta?.["codex/imageDetail"];
  return { type: "input_image", image_url: url, detail: isDetail(detail) ? detail : "high" };
}

function isDetail(value: unknown): value is "auto" | "low" | "high" | "original" {
  return typeof value === "string" && ["auto", "low", "high", "original"].includes(value);
}
