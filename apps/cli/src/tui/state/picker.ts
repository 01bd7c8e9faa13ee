/** A list with search, to choose one row from. Pure. */
import { isBound, type Keymap } from "../keymap/keymap.js";
import type { Block } from "../terminal/block.js";
import type { KeyPress } from "../terminal/key-decoder.js";
import { bold, dim, type Line, plain, tinted, wrapLine } from "../terminal/style.js";
import { graphemes, textWidth, truncateStart, truncateText, visibleControls } from "../terminal/text-width.js";

export interface PickerRow {
  readonly id: string;
  readonly title: string;
  /** In its own column before the title: at most ten cells. */
  readonly when: string;
  /** Behind the title where there is room. */
  readonly where: string;
  /** Shown of the selected row, below the list. */
  readonly preview: readonly string[];
}

export interface Picker {
  readonly purpose: "resume";
  readonly title: string;
  readonly rows: readonly PickerRow[];
  readonly search: string;
  readonly selected: number;
}

export const pickerRows = (picker: Picker): readonly PickerRow[] => {
  const query = picker.search.toLowerCase();
  return picker.rows.filter((row) =>
    `${row.title} ${row.when} ${row.where} ${row.preview.join(" ")}`.toLowerCase().includes(query),
  );
};

export interface PickerStep {
  readonly picker: Picker | null;
  readonly chosen: PickerRow | null;
}

export function pickerKey(picker: Picker, press: KeyPress, keymap: Keymap): PickerStep {
  const rows = pickerRows(picker);
  const move = (delta: number): PickerStep => ({
    picker: { ...picker, selected: rows.length === 0 ? 0 : (picker.selected + delta + rows.length) % rows.length },
    chosen: null,
  });
  if (press.name === "up") return move(-1);
  if (press.name === "down") return move(1);
  if (isBound(keymap.list.cancel, press) || isBound(keymap.global.interrupt, press))
    return { picker: null, chosen: null };
  if (isBound(keymap.list.accept, press)) return { picker: null, chosen: rows[picker.selected] ?? null };
  if (press.name === "backspace")
    return { picker: { ...picker, search: graphemes(picker.search).slice(0, -1).join(""), selected: 0 }, chosen: null };
  if (press.text === null) return { picker, chosen: null };
  return { picker: { ...picker, search: picker.search + press.text, selected: 0 }, chosen: null };
}

const PREVIEW_ROWS = 5;

function viewPreview(row: PickerRow | undefined, width: number): Line[] {
  const bar = tinted("muted", "  │ ");
  return (row?.preview ?? []).flatMap((text) => {
    const lines = wrapLine([bar, dim(visibleControls(text))], width, [bar]);
    return lines.length > 3 ? [...lines.slice(0, 2), [bar, dim("…")]] : lines;
  });
}

const WHEN_WIDTH = 10;
/** A folder is shown when this much of it can be read. */
const LEAST_WHERE = 12;

/** When, what, and, where there is room for it, in which folder. What comes first is never cut for what comes later. */
function viewRow(row: PickerRow, selected: boolean, width: number): Line {
  const room = Math.max(4, width - WHEN_WIDTH - 6);
  const title = truncateText(visibleControls(row.title), room);
  const left = room - textWidth(title) - 2;
  const where = left < LEAST_WHERE ? "" : `  ${truncateStart(visibleControls(row.where), left)}`;
  return [
    plain("  "),
    { text: selected ? "› " : "  ", style: { bold: selected, role: selected ? "accent" : undefined } },
    dim(`${row.when.padEnd(WHEN_WIDTH)}  `),
    { text: title, style: { bold: selected, role: selected ? "accent" : undefined } },
    dim(where),
  ];
}

const footer = (count: string, width: number): string => {
  const full = `  ${count} | enter to choose | esc to cancel`;
  return full.length <= width ? full : `  ${count} | enter | esc to cancel`;
};

export function viewPicker(picker: Picker, width: number, height: number): Block {
  const rows = pickerRows(picker);
  const preview = viewPreview(rows[picker.selected], width);
  const room = Math.max(3, height - 5 - (height > 16 ? PREVIEW_ROWS + 1 : 0));
  const first = Math.max(0, Math.min(picker.selected - Math.floor(room / 2), rows.length - room));
  const lines: Line[] = [
    [bold(`  ${picker.title}`)],
    [plain("  "), tinted("accent", "› "), picker.search === "" ? dim("type to search") : plain(picker.search)],
    [],
    ...rows.slice(first, first + room).map((row, index) => viewRow(row, first + index === picker.selected, width)),
    ...(rows.length === 0 ? [[dim("  nothing matches")]] : []),
    [],
    // Always as high, so that the list does not jump.
    ...(height > 16 ? [...Array.from({ length: PREVIEW_ROWS }, (_, row) => preview[row] ?? []), []] : []),
    [dim(footer(`${rows.length} of ${picker.rows.length}`, width))],
  ];
  return { lines, cursor: { row: 1, column: 4 + textWidth(picker.search) } };
}
