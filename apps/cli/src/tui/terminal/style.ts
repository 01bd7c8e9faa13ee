/**
 * Styled text as data: spans and lines, and how they become escape sequences for a terminal of given abilities.
 * Colours are roles of a theme, so that views never name a colour.
 */
import { graphemes, graphemeWidth, textWidth, visibleControls } from "./text-width.js";

export type Role =
  | "accent"
  | "question"
  | "user"
  | "success"
  | "danger"
  | "warning"
  | "muted"
  | "code"
  | "heading"
  | "added"
  | "removed"
  | "link";

export interface Style {
  readonly role?: Role | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
  readonly inverse?: boolean | undefined;
}

export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

export type Line = readonly Span[];

export const plain = (text: string): Span => ({ text });
export const dim = (text: string): Span => ({ text, style: { role: "muted" } });
export const bold = (text: string): Span => ({ text, style: { bold: true } });
export const tinted = (role: Role, text: string, more?: Style): Span => ({ text, style: { ...more, role } });
export const lineOf = (...spans: readonly (Span | string)[]): Line =>
  spans.map((span) => (typeof span === "string" ? plain(span) : span));

export const lineWidth = (line: Line): number => line.reduce((sum, span) => sum + textWidth(span.text), 0);
export const lineText = (line: Line): string => line.map((span) => span.text).join("");

export interface Palette {
  /** none: neither colour nor attributes; basic: the 16 colours the terminal's own theme defines. */
  readonly color: "none" | "basic";
  readonly background: "dark" | "light";
}

const DARK: Readonly<Record<Role, string>> = {
  accent: "36",
  question: "36",
  user: "1;36",
  success: "32",
  danger: "31",
  warning: "33",
  muted: "2",
  code: "36",
  heading: "1",
  added: "32",
  removed: "31",
  link: "4;36",
};
const LIGHT: Readonly<Record<Role, string>> = {
  ...DARK,
  accent: "34",
  question: "34",
  user: "1;34",
  code: "35",
  link: "4;34",
};

function codes(style: Style, palette: Palette): string {
  const parts: string[] = [];
  if (style.bold) parts.push("1");
  if (style.dim) parts.push("2");
  if (style.italic) parts.push("3");
  if (style.underline) parts.push("4");
  if (style.inverse) parts.push("7");
  if (style.role) parts.push((palette.background === "light" ? LIGHT : DARK)[style.role]);
  return parts.join(";");
}

/**
 * One line as bytes for the terminal; every style is closed within the line. Whatever a text holds, no control
 * character of it reaches the terminal.
 */
export function renderLine(line: Line, palette: Palette): string {
  if (palette.color === "none") return line.map((span) => visibleControls(span.text)).join("");
  let text = "";
  for (const span of line) {
    const on = span.style ? codes(span.style, palette) : "";
    const shown = visibleControls(span.text);
    text += on === "" ? shown : `\x1b[${on}m${shown}\x1b[0m`;
  }
  return text;
}

interface Cell {
  readonly grapheme: string;
  readonly width: number;
  readonly style: Style | undefined;
}

function cellsOf(line: Line): Cell[] {
  return line.flatMap((span) =>
    graphemes(span.text).map((grapheme) => ({ grapheme, width: graphemeWidth(grapheme), style: span.style })),
  );
}

function spansOf(cells: readonly Cell[]): Line {
  const spans: { text: string; style: Style | undefined }[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last && last.style === cell.style) last.text += cell.grapheme;
    else spans.push({ text: cell.grapheme, style: cell.style });
  }
  return spans;
}

/**
 * Breaks a line at spaces (or inside a word that is longer than a row, of a path between folders) into rows of at most `width` cells.
 * `indent` stands before every row but the first and counts as width.
 */
export function wrapLine(line: Line, width: number, indent: Line = []): Line[] {
  if (lineWidth(line) <= width) return [line];
  const indentWidth = lineWidth(indent);
  const rows: Line[] = [];
  let rest = cellsOf(line);
  while (rest.length > 0) {
    const room = Math.max(1, rows.length === 0 ? width : width - indentWidth);
    let used = 0;
    let end = 0;
    let lastSpace = -1;
    let lastSlash = -1;
    while (end < rest.length) {
      const cell = rest[end] as Cell;
      if (used + cell.width > room) break;
      if (cell.grapheme === " ") lastSpace = end;
      if (cell.grapheme === "/") lastSlash = end;
      used += cell.width;
      end += 1;
    }
    // A cell wider than the row still has to go somewhere.
    if (end === 0) end = 1;
    const next = rest[end];
    let cut = end;
    if (next !== undefined && next.grapheme !== " ") {
      if (lastSpace > 0) cut = lastSpace;
      // A path that is longer than a row is broken between folders, as long as that fills a third of the row.
      else if (lastSlash >= room / 3) cut = lastSlash + 1;
    }
    const row = spansOf(rest.slice(0, cut));
    rows.push(rows.length === 0 ? row : [...indent, ...row]);
    rest = rest.slice(cut);
    while (rest.length > 0 && rest[0]?.grapheme === " ") rest = rest.slice(1);
  }
  return rows;
}

/** Cuts a line to a width, with an ellipsis. */
export function truncateLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const cells = cellsOf(line);
  let used = 0;
  let end = 0;
  while (end < cells.length && used + (cells[end] as Cell).width <= width - 1) {
    used += (cells[end] as Cell).width;
    end += 1;
  }
  return [...spansOf(cells.slice(0, end)), { text: "…", style: cells[end]?.style }];
}

/** Reads what the environment says about colour: NO_COLOR, TERM=dumb, COLORFGBG. */
export function paletteFromEnvironment(env: Readonly<Record<string, string | undefined>>): Palette {
  const none = (env.NO_COLOR !== undefined && env.NO_COLOR !== "") || env.TERM === "dumb";
  const background = Number(env.COLORFGBG?.split(";").at(-1) ?? Number.NaN);
  return {
    color: none ? "none" : "basic",
    background: background === 7 || (background >= 9 && background <= 15) ? "light" : "dark",
  };
}
