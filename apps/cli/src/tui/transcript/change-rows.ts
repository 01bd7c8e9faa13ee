/**
 * The rows of a change to a file, each with its mark. On the wire a new or deleted file is its bare content, and a
 * changed one a diff.
 */
import { visibleControls } from "../terminal/text-width.js";

export function changeRows({ kind, diff }: { readonly kind: string; readonly diff: string }): readonly string[] {
  const rows = diff === "" ? [] : diff.replace(/\n$/, "").split("\n").map(visibleControls);
  if (kind === "add") return rows.map((row) => `+${row}`);
  if (kind === "delete") return rows.map((row) => `-${row}`);
  // Names of the files may stand before the first hunk; in a hunk the same marks are lines that changed.
  const start = rows.findIndex((row) => row.startsWith("@@"));
  return rows.slice(Math.max(0, start));
}
