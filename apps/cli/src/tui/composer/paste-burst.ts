/**
 * Tells pastes from typing in terminals that do not mark pastes: characters that come faster than anybody types are a
 * paste, and so are the newlines and tabs among and right after them. Pure: the owner passes the inputs of one read and
 * the time.
 */
import type { TerminalInput } from "../terminal/key-decoder.js";

/** A person does not press keys this close together. */
const BURST_GAP_MS = 12;
const MIN_BURST = 3;
/** A paste may come in pieces; nobody reads what has just appeared and presses Enter as soon as this. */
const AFTER_BURST_MS = 120;
/** Keys that send when they are pressed. */
const BREAK = /[\n\t]/;

export interface BurstState {
  /** Characters that came without a pause, and when the last one did. */
  readonly count: number;
  readonly lastAt: number;
  /** Until then newlines and tabs belong to the paste that has been seen. */
  readonly until: number;
  /** A newline or tab was already taken as part of this paste. */
  readonly open: boolean;
  readonly last: TerminalInput | undefined;
}

export const noBurst: BurstState = {
  count: 0,
  lastAt: Number.NEGATIVE_INFINITY,
  until: Number.NEGATIVE_INFINITY,
  open: false,
  last: undefined,
};

/** What an input is when it is pasted; null for what cannot be. */
function pastedText(input: TerminalInput): string | null {
  if (input.type !== "key" || !input.plain) return null;
  if (input.name === "enter" || (input.ctrl && input.name === "j")) return "\n";
  if (input.ctrl || input.alt) return null;
  return input.name === "tab" ? "\t" : input.text;
}

/** The carriage return and line feed of one line end are one newline. */
function isSecondHalf(input: TerminalInput, before: TerminalInput | undefined): boolean {
  return input.type === "key" && input.ctrl && input.name === "j" && before?.type === "key" && before.name === "enter";
}

/** A newline or tab that comes right after a burst, or that has more of it behind it. */
function isPaste(text: string, count: number): boolean {
  const first = text.search(BREAK);
  if (first < 0) return false;
  const body = text.replace(/[\n\t]+$/, "");
  return count + first >= MIN_BURST || (first < body.length && count + body.length >= MIN_BURST);
}

/** Replaces runs that can only be a paste by one paste; all else stays what it is. */
export function mergeBursts(
  inputs: readonly TerminalInput[],
  state: BurstState,
  now: number,
): { readonly inputs: readonly TerminalInput[]; readonly state: BurstState } {
  const result: TerminalInput[] = [];
  let { until } = state;
  let count = now - state.lastAt <= BURST_GAP_MS ? state.count : 0;
  let open = state.open && now <= until;
  const before = open ? state.last : undefined;
  let at = 0;
  while (at < inputs.length) {
    let end = at;
    let text = "";
    // No key sends both halves of a line end at once.
    let wholeLineEnd = false;
    for (; end < inputs.length; end += 1) {
      const part = pastedText(inputs[end] as TerminalInput);
      if (part === null) break;
      if (!isSecondHalf(inputs[end] as TerminalInput, inputs[end - 1] ?? before)) text += part;
      else wholeLineEnd ||= end > at;
    }
    if (end === at) {
      result.push(inputs[at] as TerminalInput);
      at += 1;
      count = 0;
      until = Number.NEGATIVE_INFINITY;
      open = false;
      continue;
    }
    const continues = now <= until && (open || BREAK.test(text));
    if (continues || wholeLineEnd || isPaste(text, count)) {
      if (text !== "") result.push({ type: "paste", text });
      open = true;
    } else result.push(...inputs.slice(at, end));
    count += text.length;
    // Single characters after the paste are typed: they do not make it longer.
    if (count >= MIN_BURST || (open && end - at > 1)) until = now + AFTER_BURST_MS;
    at = end;
  }
  return { inputs: result, state: { count, lastAt: now, until, open, last: inputs.at(-1) } };
}
