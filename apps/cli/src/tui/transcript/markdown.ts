/**
 * Markdown as styled lines: the parts of it that models write. Pure; unknown syntax stays as text.
 * Also finds how much of a growing text is final, so that a stream can be drawn block by block.
 */
import { type Line, lineWidth, plain, type Span, type Style, tinted, wrapLine } from "../terminal/style.js";
import { textWidth, visibleControls } from "../terminal/text-width.js";

const INLINE =
  /(`+)(.+?)\1(?!`)|\*\*(?=\S)(.+?)(?<=\S)\*\*|__(?=\S)(.+?)(?<=\S)__|(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?!\w)|(?<!\w)_(?=\S)(.+?)(?<=\S)_(?!\w)|~~(.+?)~~|!?\[([^\]]*)\]\(([^)\s]+)[^)]*\)/;

export function inlineSpans(text: string, style: Style = {}): Span[] {
  const spans: Span[] = [];
  let rest = text;
  while (rest !== "") {
    const match = INLINE.exec(rest);
    if (!match) break;
    if (match.index > 0) spans.push({ text: unescaped(rest.slice(0, match.index)), style });
    const [all, , code, strong, strong2, italic, italic2, struck, label, url] = match;
    if (code !== undefined) spans.push({ text: code, style: { ...style, role: "code" } });
    else if (strong ?? strong2) spans.push(...inlineSpans((strong ?? strong2) as string, { ...style, bold: true }));
    else if (italic ?? italic2) spans.push(...inlineSpans((italic ?? italic2) as string, { ...style, italic: true }));
    else if (struck !== undefined) spans.push(...inlineSpans(struck, { ...style, dim: true }));
    else {
      const shown = label === "" ? (url as string) : (label as string);
      spans.push({ text: shown, style: { ...style, role: "link" } });
      if (shown !== url) spans.push({ text: ` (${url})`, style: { ...style, role: "muted" } });
    }
    rest = rest.slice(match.index + all.length);
  }
  if (rest !== "") spans.push({ text: unescaped(rest), style });
  return spans;
}

const unescaped = (text: string): string => text.replace(/\\([\\`*_{}[\]()#+\-.!~|>])/g, "$1");

/** Lines of at most `width` cells. */
export function markdownLines(source: string, width: number): Line[] {
  const lines: Line[] = [];
  const rows = source.replace(/\r\n?/g, "\n").split("\n").map(visibleKeepingTabs);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as string;
    const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(row);
    if (fence) {
      let end = at + 1;
      while (end < rows.length && !isFenceEnd(rows[end] as string, fence[1] as string)) end += 1;
      lines.push(...codeBlock(rows.slice(at + 1, end), fence[2] ?? "", width));
      at = end;
    } else if (isTable(rows, at)) {
      let end = at + 2;
      while (end < rows.length && (rows[end] as string).includes("|")) end += 1;
      lines.push(...table([rows[at] as string, ...rows.slice(at + 2, end)], width));
      at = end - 1;
    } else {
      lines.push(...blockRow(row, width));
    }
  }
  while (lines.length > 0 && lineWidth(lines.at(-1) as Line) === 0) lines.pop();
  return lines;
}

const visibleKeepingTabs = (row: string): string => visibleControls(row);

const isFenceEnd = (row: string, fence: string): boolean =>
  new RegExp(`^\\s{0,3}\\${fence[0]}{${fence.length},}\\s*$`).test(row);

function codeBlock(rows: readonly string[], language: string, width: number): Line[] {
  const bar = tinted("muted", "│ ");
  const head: Line[] = language === "" ? [] : [[tinted("muted", `┌ ${language}`)]];
  return [
    ...head,
    ...rows.flatMap((row) => {
      const role = language === "diff" ? diffRole(row) : ("code" as const);
      return wrapLine([bar, { text: row, style: { role } }], width, [bar]);
    }),
  ];
}

export function diffRole(row: string): "added" | "removed" | "accent" | undefined {
  if (row.startsWith("+")) return "added";
  if (row.startsWith("-")) return "removed";
  return row.startsWith("@@") ? "accent" : undefined;
}

function blockRow(row: string, width: number): Line[] {
  if (row.trim() === "") return [[]];
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(row);
  if (heading) {
    return wrapLine(inlineSpans(heading[2] as string, { bold: true, underline: heading[1] === "#" }), width);
  }
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(row)) return [[tinted("muted", "─".repeat(Math.min(width, 24)))]];
  const quote = /^\s{0,3}>\s?(.*)$/.exec(row);
  if (quote) {
    const bar = tinted("muted", "▎ ");
    return wrapLine([bar, ...inlineSpans(quote[1] as string, { italic: true })], width, [bar]);
  }
  const item = /^(\s*)([-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?(.*)$/.exec(row);
  if (item) {
    const [, indent = "", marker = "", box = "", text = ""] = item;
    const bullet = /\d/.test(marker) ? marker : "•";
    const check = box === "" ? "" : box.trim() === "[ ]" ? "☐ " : "☑ ";
    const lead = `${indent}${bullet} ${check}`;
    return wrapLine([plain(indent), tinted("accent", `${bullet} ${check}`), ...inlineSpans(text)], width, [
      plain(" ".repeat(Math.min(textWidth(lead), Math.floor(width / 2)))),
    ]);
  }
  return wrapLine(inlineSpans(row), width);
}

const isTable = (rows: readonly string[], at: number): boolean =>
  (rows[at] as string).includes("|") && /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(rows[at + 1] ?? "");

function table(rows: readonly string[], width: number): Line[] {
  const cells = rows.map((row) =>
    row
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => inlineSpans(cell.trim())),
  );
  const columns = Math.max(...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...cells.map((row) => lineWidth(row[column] ?? []))),
  );
  // Too wide for columns: one row a line, cells separated.
  const total = widths.reduce((sum, cell) => sum + cell + 3, -3);
  return cells.flatMap((row, index) => {
    const line = Array.from({ length: columns }, (_, column): Span[] => {
      const cell = row[column] ?? [];
      const styled = index === 0 ? cell.map((span) => ({ ...span, style: { ...span.style, bold: true } })) : cell;
      const pad = total > width || column === columns - 1 ? "" : " ".repeat((widths[column] ?? 0) - lineWidth(cell));
      return [...styled, plain(pad), ...(column < columns - 1 ? [tinted("muted", " │ ")] : [])];
    }).flat();
    const rule: Line = [tinted("muted", widths.map((cell) => "─".repeat(cell)).join("─┼─"))];
    return [...wrapLine(line, width), ...(index === 0 && total <= width ? [rule] : [])];
  });
}

/**
 * The length of the start of a growing text that later text cannot change: whole blocks, never an open code fence
 * or table.
 */
export function finalLength(text: string): number {
  let fence: string | null = null;
  let at = 0;
  let final = 0;
  for (const row of text.split("\n")) {
    const next = at + row.length + 1;
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(row)?.[1];
    if (fence !== null) {
      if (isFenceEnd(row, fence)) {
        fence = null;
        if (next <= text.length) final = next;
      }
    } else if (mark) fence = mark;
    else if (row.trim() === "" && next <= text.length) final = next;
    at = next;
  }
  return final;
}
