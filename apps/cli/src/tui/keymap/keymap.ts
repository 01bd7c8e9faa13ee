/**
 * Which key does what, per place. Defaults are here; a configuration file may replace the keys of any action.
 * Pure; owns no behaviour of the actions.
 */
import { nearest } from "../../arguments/nearest.js";
import { type KeyPress, keyId } from "../terminal/key-decoder.js";

const DEFAULTS = {
  global: {
    interrupt: ["ctrl+c"],
    quit: ["ctrl+d"],
    suspend: ["ctrl+z"],
    redraw: ["ctrl+l"],
    show_output: ["ctrl+o"],
  },
  composer: {
    submit: ["enter"],
    queue: ["tab"],
    newline: ["shift+enter", "alt+enter", "ctrl+j"],
    stop: ["escape"],
    history_previous: ["up", "ctrl+p"],
    history_next: ["down", "ctrl+n"],
    external_editor: ["ctrl+g"],
    paste_image: ["ctrl+v"],
  },
  list: {
    move_up: ["up", "k"],
    move_down: ["down", "j"],
    accept: ["enter"],
    cancel: ["escape"],
  },
  question: {
    previous: ["ctrl+p", "pageup"],
    next: ["ctrl+n", "pagedown"],
    previous_in_options: ["left", "h"],
    next_in_options: ["right", "l"],
    select: ["space"],
    submit: ["enter"],
    notes: ["tab"],
    clear: ["backspace", "delete"],
    interrupt: ["escape"],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

type Defaults = typeof DEFAULTS;
export type KeymapContext = keyof Defaults;
export type KeymapAction<C extends KeymapContext> = keyof Defaults[C] & string;
export type Keymap = {
  readonly [C in KeymapContext]: { readonly [A in KeymapAction<C>]: readonly string[] };
};

export const defaultKeymap: Keymap = DEFAULTS;

const NAMES =
  "enter tab escape space backspace delete insert up down left right home end pageup pagedown f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12".split(
    " ",
  );

/** Puts a written key (`Ctrl-P`, `control+p`, `esc`) into the one spelling that key presses have; null when unknown. */
export function normalizeKey(written: string): string | null {
  const parts = written
    .trim()
    .replace(/(?<=\w)-(?=.)/g, "+")
    .split(/\+(?=.)/)
    .map((part) => (part.length === 1 ? part : part.toLowerCase()));
  const named = parts.pop() ?? "";
  const name = { esc: "escape", return: "enter", pgup: "pageup", pgdn: "pagedown", del: "delete" }[named] ?? named;
  const modifiers = new Set<string>();
  for (const part of parts) {
    const modifier = { control: "ctrl", option: "alt", meta: "alt" }[part] ?? part;
    if (!["ctrl", "alt", "shift"].includes(modifier)) return null;
    modifiers.add(modifier);
  }
  if (Array.from(name).length !== 1 && !NAMES.includes(name)) return null;
  const held = ["ctrl", "alt", "shift"].filter((modifier) => modifiers.has(modifier));
  return [...held, modifiers.has("ctrl") || modifiers.has("alt") ? name.toLowerCase() : name].join("+");
}

export interface KeymapProblem {
  /** `tui.keymap.question.submit` */
  readonly path: string;
  readonly message: string;
}

/**
 * Lays the `[tui.keymap]` table of a configuration over the defaults. `[]` switches an action's keys off.
 * Without vim keys h, j, k and l are ordinary characters.
 */
export function readKeymap(
  value: unknown,
  vimKeys = true,
): { readonly keymap: Keymap; readonly problems: readonly KeymapProblem[] } {
  const problems: KeymapProblem[] = [];
  const result: Record<string, Record<string, readonly string[]>> = structuredClone(DEFAULTS) as never;
  if (!vimKeys) {
    for (const actions of Object.values(result)) {
      for (const [action, keys] of Object.entries(actions))
        actions[action] = keys.filter((key) => !/^[hjkl]$/.test(key));
    }
  }
  for (const [context, actions] of entries(value)) {
    const known = result[context];
    if (!known) {
      problems.push({
        path: `tui.keymap.${context}`,
        message: `is no place for keys${didYouMean(context, Object.keys(result))}`,
      });
      continue;
    }
    for (const [action, keys] of entries(actions)) {
      const path = `tui.keymap.${context}.${action}`;
      if (!Object.hasOwn(known, action)) {
        problems.push({ path, message: `is no action${didYouMean(action, Object.keys(known))}` });
        continue;
      }
      const list = typeof keys === "string" ? [keys] : keys;
      if (!Array.isArray(list) || list.some((key) => typeof key !== "string")) {
        problems.push({ path, message: "must be a key or a list of keys" });
        continue;
      }
      const normal = list.map((key: string) => normalizeKey(key));
      const wrong = normal.indexOf(null);
      if (wrong >= 0) problems.push({ path, message: `names an unknown key ${JSON.stringify(list[wrong])}` });
      else known[action] = normal as string[];
    }
  }
  return { keymap: result as unknown as Keymap, problems };
}

const didYouMean = (given: string, known: readonly string[]): string => {
  const near = nearest(given, known);
  return near ? ` (did you mean ${near}?)` : `; there are ${known.join(", ")}`;
};

const entries = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/** true: the key press is bound to the action. */
export function isBound(bindings: readonly string[], press: KeyPress): boolean {
  const id = keyId(press);
  return bindings.includes(id) || (press.name === "space" && press.text !== null && bindings.includes("space"));
}

const SHOWN: Readonly<Record<string, string>> = {
  escape: "esc",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  pageup: "pgup",
  pagedown: "pgdn",
};

/** The first binding as hints show it: `ctrl + p`, `esc`. */
export function keyLabel(bindings: readonly string[]): string {
  const first = bindings[0];
  if (first === undefined) return "unbound";
  return first
    .split(/\+(?=.)/)
    .map((part) => SHOWN[part] ?? part)
    .join(" + ");
}
