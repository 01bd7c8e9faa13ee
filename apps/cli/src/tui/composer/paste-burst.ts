/**
 * Tells pastes from typing in terminals that do not mark pastes: characters that arrive together with newlines
 * between them are one paste. Pure: the owner passes the inputs of one read and the time.
 */
import type { TerminalInput } from "../terminal/key-decoder.js";

/** A person does not press keys this close together. */
const BURST_GAP_MS = 12;
const MIN_BURST = 3;

export interface BurstState {
  /** Characters typed without a pause, and when the last one came. */
  readonly count: number;
  readonly lastAt: number;
  /** A newline was already taken as part of this burst. */
  readonly multiline: boolean;
}

export const noBurst: BurstState = { count: 0, lastAt: Number.NEGATIVE_INFINITY, multiline: false };

const typedText = (input: TerminalInput): string | null => {
  if (input.type !== "key" || input.ctrl || input.alt) return null;
  if (input.text !== null) return input.text;
  return input.name === "tab" ? "\t" : null;
};

const isEnter = (input: TerminalInput | undefined): boolean =>
  input?.type === "key" && (input.name === "enter" || (input.ctrl && input.name === "j"));

/**
 * Replaces runs that can only be a paste by one paste: text with a newline inside, or a newline that follows such
 * text at once. One line and an Enter stay what they are.
 */
export function mergeBursts(
  inputs: readonly TerminalInput[],
  state: BurstState,
  now: number,
): { readonly inputs: readonly TerminalInput[]; readonly state: BurstState } {
  const result: TerminalInput[] = [];
  let { count, multiline } = now - state.lastAt <= BURST_GAP_MS ? state : noBurst;
  let at = 0;
  while (at < inputs.length) {
    const input = inputs[at] as TerminalInput;
    let end = at;
    let text = "";
    while (end < inputs.length) {
      const part = isEnter(inputs[end]) ? "\n" : typedText(inputs[end] as TerminalInput);
      if (part === null) break;
      text += part;
      end += 1;
    }
    const body = text.replace(/\n+$/, "");
    const pasted = (multiline && text !== "") || (body.includes("\n") && count + body.length >= MIN_BURST);
    if (pasted) {
      result.push({ type: "paste", text });
      multiline = true;
    } else if (text !== "") {
      result.push(...inputs.slice(at, end));
    } else {
      result.push(input);
      end = at + 1;
      count = 0;
      multiline = false;
    }
    count += text.length;
    at = end;
  }
  return { inputs: result, state: { count, lastAt: now, multiline } };
}
