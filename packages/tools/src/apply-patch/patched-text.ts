/** The text of a file after the chunks of one update. Pure. */
import { findLines } from "./find-lines.js";
import { PatchApplyError, type UpdateChunk } from "./patch.js";

interface Replacement {
  readonly at: number;
  readonly removed: number;
  readonly lines: readonly string[];
}

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The result ends with a line break. A file whose lines end with CRLF keeps them, and one that begins with a byte order
 * mark keeps that: patches do not show it.
 * @throws {PatchApplyError} a chunk's place was not found
 */
export function patchedText(path: string, text: string, chunks: readonly UpdateChunk[]): string {
  if (!text.startsWith(BYTE_ORDER_MARK)) return patchedLines(path, text, chunks);
  const patched = patchedLines(path, text.slice(BYTE_ORDER_MARK.length), chunks);
  return patched === "" || patched.startsWith(BYTE_ORDER_MARK) ? patched : `${BYTE_ORDER_MARK}${patched}`;
}

function patchedLines(path: string, text: string, chunks: readonly UpdateChunk[]): string {
  const crlf = usesCarriageReturns(text);
  const lines = (crlf ? text.replaceAll("\r\n", "\n") : text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const result: string[] = [];
  let at = 0;
  for (const replacement of replacements(path, lines, chunks)) {
    for (; at < replacement.at; at++) result.push(lines[at]!);
    result.push(...replacement.lines);
    at += replacement.removed;
  }
  for (; at < lines.length; at++) result.push(lines[at]!);
  const patched = result.length === 0 ? "" : result.at(-1) === "" ? result.join("\n") : `${result.join("\n")}\n`;
  return crlf ? patched.replaceAll("\n", "\r\n") : patched;
}

function usesCarriageReturns(text: string): boolean {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
}

function replacements(path: string, lines: readonly string[], chunks: readonly UpdateChunk[]): readonly Replacement[] {
  const found: Replacement[] = [];
  let from = 0;
  for (const chunk of chunks) {
    if (chunk.anchor !== undefined) {
      const anchor = findLines(lines, [chunk.anchor], from, false);
      if (anchor === undefined) throw new PatchApplyError(`Failed to find context '${chunk.anchor}' in ${path}`);
      from = anchor + 1;
    }
    if (chunk.oldLines.length === 0) {
      found.push({ at: lines.length, removed: 0, lines: chunk.newLines });
      continue;
    }
    const replacement = locate(lines, chunk, from);
    if (!replacement)
      throw new PatchApplyError(`Failed to find expected lines in ${path}:\n${chunk.oldLines.join("\n")}`);
    found.push(replacement);
    from = replacement.at + replacement.removed;
  }
  return found.sort((left, right) => left.at - right.at);
}

function locate(lines: readonly string[], chunk: UpdateChunk, from: number): Replacement | undefined {
  const at = findLines(lines, chunk.oldLines, from, chunk.atEnd);
  if (at !== undefined) return { at, removed: chunk.oldLines.length, lines: chunk.newLines };
  // A trailing empty line in a patch often stands for the line break at the end of the file.
  if (chunk.oldLines.at(-1) !== "") return undefined;
  const shorter = chunk.oldLines.slice(0, -1);
  const shorterAt = findLines(lines, shorter, from, chunk.atEnd);
  if (shorterAt === undefined) return undefined;
  const newLines = chunk.newLines.at(-1) === "" ? chunk.newLines.slice(0, -1) : chunk.newLines;
  return { at: shorterAt, removed: shorter.length, lines: newLines };
}
