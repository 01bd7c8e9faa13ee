/** Looks for words in what a person and the model said in one session file, without reading it as a whole. */
import { createReadStream } from "node:fs";
import { validate } from "@turnkit/protocol/validate";
import { isContextText } from "../context/fragments.js";
import { decompressZstd } from "./decompress.js";

/** Characters shown around the place. */
const SNIPPET = 110;

/** One line around the first place; undefined: nobody said it. `term` is compared without regard to case. */
export async function searchFile(file: string, term: string): Promise<string | undefined> {
  const wanted = term.toLowerCase();
  // As it stands between the quotes of a line; letters beyond ASCII may be escaped there, so they do not narrow.
  const quick = /^[\x20-\x7e]*$/.test(wanted) ? JSON.stringify(wanted).slice(1, -1) : undefined;
  for await (const line of lines(file)) {
    if (quick !== undefined && !line.toLowerCase().includes(quick)) continue;
    const said = textOf(line);
    const at = said?.toLowerCase().indexOf(wanted) ?? -1;
    if (said !== undefined && at >= 0) return snippet(said, at, term.length);
  }
  return undefined;
}

async function* lines(file: string): AsyncGenerator<string> {
  const bytes: AsyncIterable<Uint8Array> = createReadStream(file);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of file.endsWith(".zst") ? decompressZstd(bytes) : bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (!text.includes("\n")) {
      // A line with an image comes in many chunks, and is put together once.
      rest += text;
      continue;
    }
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

function textOf(line: string): string | undefined {
  let value: { readonly type?: unknown; readonly payload?: unknown };
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    return undefined;
  }
  if (value.type !== "response_item") return undefined;
  const item = validate("ResponseItem", value.payload);
  if (!item.ok || item.value.type !== "message" || item.value.role === "developer") return undefined;
  const text = item.value.content.map((part) => ("text" in part ? part.text : "")).join(" ");
  return item.value.role === "user" && isContextText(text) ? undefined : text;
}

/** Whole words, on one line, with dots where something was left out. */
function snippet(text: string, at: number, length: number): string {
  const before = Math.max(Math.floor((SNIPPET - length) / 2), 0);
  let start = Math.max(Math.min(at - before, text.length - SNIPPET), 0);
  let end = Math.min(Math.max(start + SNIPPET, at + length), text.length);
  if (start > 0) start = Math.min(at, text.indexOf(" ", start) + 1 || start);
  if (end < text.length) {
    const space = text.lastIndexOf(" ", end);
    if (space >= at + length) end = space;
  }
  const shown = text.slice(start, end).replace(/\s+/g, " ").trim();
  return `${start > 0 ? "... " : ""}${shown}${end < text.length ? " ..." : ""}`;
}
