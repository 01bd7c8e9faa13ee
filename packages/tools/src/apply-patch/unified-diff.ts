/** The hunks of a unified diff between two texts, without file headers. */
import { structuredPatch } from "diff";

/** More edits than this are shown as one replacement, so that a rewritten file costs no quadratic time. */
const MAX_EDITS = 20_000;
const NO_LINE_BREAK = "\\ No newline at end of file";

export function unifiedDiff(before: string, after: string, context: number): string {
  if (before === after) return "";
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context, maxEditLength: MAX_EDITS });
  const hunks = patch?.hunks ?? [wholeReplacement(before, after)];
  return hunks
    .map((hunk) => {
      const header = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
      return [header, ...hunk.lines].join("\n");
    })
    .map((text) => `${text}\n`)
    .join("");
}

/** An empty side starts at the line before it; a count of one is left out. */
function range(start: number, count: number): string {
  if (count === 1) return String(start);
  return `${count === 0 ? Math.max(0, start - 1) : start},${count}`;
}

function wholeReplacement(before: string, after: string) {
  const old = marked(before, "-");
  const fresh = marked(after, "+");
  return {
    oldStart: 1,
    oldLines: old.count,
    newStart: 1,
    newLines: fresh.count,
    lines: [...old.lines, ...fresh.lines],
  };
}

function marked(text: string, mark: string): { readonly lines: readonly string[]; readonly count: number } {
  if (text === "") return { lines: [], count: 0 };
  const complete = text.endsWith("\n");
  const lines = (complete ? text.slice(0, -1) : text).split("\n").map((line) => mark + line);
  return { lines: complete ? lines : [...lines, NO_LINE_BREAK], count: lines.length };
}
