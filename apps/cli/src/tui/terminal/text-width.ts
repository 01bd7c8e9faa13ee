/**
 * How many terminal cells a text takes, and how to cut and wrap it on grapheme borders.
 * Owns no styling and no escape sequences: callers pass plain text.
 */

/** Characters that are one grapheme of one cell whatever stands beside them, as long as that is one of them too. */
export const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc]*$/;
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u200b-\u200f\u2060\ufeff]+$/u;
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\u{1f1e6}-\u{1f1ff}]{2}/u;

/** Inclusive ranges of East Asian Wide and Fullwidth code points. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

function isWide(codePoint: number): boolean {
  if (codePoint < 0x1100) return false;
  for (const [low, high] of WIDE) {
    if (codePoint < low) return false;
    if (codePoint <= high) return true;
  }
  return false;
}

/** Made when it is first needed: that takes as long as a frame. */
let segmenter: Intl.Segmenter | undefined;

/** The user-perceived characters of a text. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Cells of one grapheme: 0, 1 or 2. */
export function graphemeWidth(grapheme: string): number {
  const codePoint = grapheme.codePointAt(0);
  if (codePoint === undefined) return 0;
  if (grapheme.length === 1 && codePoint >= 0x20 && codePoint < 0x7f) return 1;
  if (ZERO_WIDTH.test(grapheme)) return 0;
  return isWide(codePoint) || EMOJI.test(grapheme) ? 2 : 1;
}

export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

/** The longest start of a text that fits; with `ellipsis` at its end when something was cut. */
export function truncateText(text: string, width: number, ellipsis = "…"): string {
  if (textWidth(text) <= width) return text;
  const room = width - textWidth(ellipsis);
  if (room < 0) return "";
  let used = 0;
  let kept = "";
  for (const grapheme of graphemes(text)) {
    const cells = graphemeWidth(grapheme);
    if (used + cells > room) break;
    used += cells;
    kept += grapheme;
  }
  return kept + ellipsis;
}

/** The longest end of a text that fits, behind an ellipsis when something was cut: of a path it says the most. */
export function truncateStart(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let used = 1;
  let kept = "";
  for (const grapheme of graphemes(text).reverse()) {
    used += graphemeWidth(grapheme);
    if (used > width) break;
    kept = grapheme + kept;
  }
  return width < 1 ? "" : `…${kept}`;
}

/** Replaces what a terminal would act on: tabs become spaces, other control characters their visible form. */
export function visibleControls(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]|\t/g, (char) => {
    if (char === "\t") return "    ";
    if (char === "\x7f") return "^?";
    const code = char.charCodeAt(0);
    if (code < 0x20) return `^${String.fromCharCode(code + 64)}`;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
