/**
 * The text in which a command's output reaches the model: header lines, token budget, middle truncation.
 * Sizes are UTF-8 bytes; a token counts as four of them.
 */
import { DEFAULT_OUTPUT_TOKENS } from "./limits.js";
import { omissionMarker, type WindowContent } from "./output-window.js";

const BYTES_PER_TOKEN = 4;

export interface ExecOutput {
  readonly chunkId: string;
  readonly wallTimeMs: number;
  readonly exitCode: number | undefined;
  /** Set while the process lives. */
  readonly sessionId: number | undefined;
  readonly content: WindowContent;
  /** Requested by the model. */
  readonly maxOutputTokens: number | undefined;
}

export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

const encoder = new TextEncoder();

/** Invalid UTF-8 becomes U+FFFD; a byte order mark stays. */
export function decodeLossy(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The longest prefix of at most `limit` bytes that ends between characters. */
function prefix(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes;
  let end = limit;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** The longest suffix of at most `limit` bytes that starts between characters. */
function suffix(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes;
  let start = bytes.length - limit;
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Keeps the two ends of a text and says how many tokens went. */
export function truncateMiddle(text: string, budgetBytes: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= budgetBytes) return text;
  const left = Math.floor(budgetBytes / 2);
  const head = prefix(bytes, left);
  const tail = suffix(bytes, budgetBytes - left);
  const removed = tokensOf(bytes.length - head.length - tail.length);
  return `${decodeLossy(head)}…${removed} tokens truncated…${decodeLossy(tail)}`;
}

function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.endsWith("\n") ? lines : lines + 1;
}

/** The output within its budget, with a warning in front when something is missing. */
export function truncateOutput(content: WindowContent, budgetTokens: number): string {
  const text = decodeLossy(content.bytes);
  const budget = budgetTokens * BYTES_PER_TOKEN;
  if (encoder.encode(text).length <= budget) return text;
  const warning = `Warning: truncated output (original token count: ${tokensOf(content.totalBytes)})`;
  const body = truncateMiddle(text, budget);
  if (content.omittedBytes === 0) return `${warning}\nTotal output lines: ${countLines(text)}\n\n${body}`;
  const marker = omissionMarker(content.omittedBytes).trim();
  return body.includes(marker) ? `${warning}\n\n${body}` : `${warning}\n${marker}\n\n${body}`;
}

/** In tokens. What a call that asks for nothing gets is what its description promises, however much the model may read. */
export function outputBudget(requested: number | undefined, modelLimitTokens: number): number {
  return Math.min(requested ?? DEFAULT_OUTPUT_TOKENS, modelLimitTokens);
}

/** The whole tool output. `modelLimitTokens` caps whatever the model asked for. */
export function formatExecOutput(output: ExecOutput, modelLimitTokens: number): string {
  const budget = outputBudget(output.maxOutputTokens, modelLimitTokens);
  const lines = [`Chunk ID: ${output.chunkId}`, `Wall time: ${(output.wallTimeMs / 1000).toFixed(4)} seconds`];
  if (output.exitCode !== undefined) lines.push(`Process exited with code ${output.exitCode}`);
  if (output.sessionId !== undefined) lines.push(`Process running with session ID ${output.sessionId}`);
  lines.push(`Original token count: ${tokensOf(output.content.totalBytes)}`, "Output:");
  return `${lines.join("\n")}\n${truncateOutput(output.content, budget)}`;
}
