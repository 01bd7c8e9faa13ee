/**
 * Turns what a terminal sends into key presses and pastes. Pure and incremental: pieces may be cut anywhere.
 * Knows xterm, rxvt and kitty (CSI u) encodings; does not know what a key means.
 */

export interface KeyPress {
  readonly type: "key";
  /** A name (`enter`, `up`, `f1`, …) or, for character keys, the character itself in lower case. */
  readonly name: string;
  /** What the key types, when it types something and no Ctrl or Alt is held. */
  readonly text: string | null;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** It came as a plain character, as pasted text does; keys with an escape sequence are never part of a paste. */
  readonly plain: boolean;
}

export type TerminalInput =
  | KeyPress
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "focus"; readonly focused: boolean };

const FINAL_NAMES: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  M: "enter",
};
const TILDE_NAMES: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};
const CODE_NAMES: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
};
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const MAX_SEQUENCE = 64;

function key(name: string, modifiers = 0, text: string | null = null): KeyPress {
  const ctrl = (modifiers & 4) !== 0;
  const alt = (modifiers & 2) !== 0;
  return { type: "key", name, text: ctrl || alt ? null : text, ctrl, alt, shift: (modifiers & 1) !== 0, plain: false };
}

function character(char: string, modifiers = 0): KeyPress {
  if (char === " ") return key("space", modifiers, " ");
  const lower = char.toLowerCase();
  return key(lower, lower === char ? modifiers : modifiers | 1, char);
}

function control(code: number, modifiers = 0): KeyPress {
  if (code === 0x0d) return key("enter", modifiers);
  if (code === 0x0a) return key("j", modifiers | 4);
  if (code === 0x09) return key("tab", modifiers);
  if (code === 0x7f || code === 0x08) return key("backspace", modifiers);
  if (code === 0x1b) return key("escape", modifiers);
  if (code === 0x00) return key("space", modifiers | 4);
  return key(String.fromCharCode(code + 64).toLowerCase(), modifiers | 4);
}

function fromCode(code: number, modifiers: number, shifted: number | null): KeyPress | null {
  const name = CODE_NAMES[code];
  if (name) return key(name, modifiers, name === "space" ? " " : null);
  if (code < 32 || (code >= 57344 && code <= 63743)) return null;
  const typed = String.fromCodePoint(shifted ?? code);
  return character((modifiers & 1) !== 0 && shifted === null ? typed.toUpperCase() : typed, modifiers);
}

function csi(parameters: string, final: string): TerminalInput | null {
  if (final === "I" || final === "O") return { type: "focus", focused: final === "I" };
  if (/^[<=>?]/.test(parameters)) return null;
  const fields = parameters.split(";");
  const [modifierField = "1", eventField] = (fields[1] ?? "1").split(":");
  const modifiers = Math.max(0, Number(modifierField || "1") - 1);
  if (eventField === "3") return null;
  if (final === "Z") return key("tab", modifiers | 1);
  if (final === "u") {
    const [code, shifted] = (fields[0] ?? "").split(":");
    return fromCode(Number(code), modifiers, shifted ? Number(shifted) : null);
  }
  if (final === "~") {
    if (fields[0] === "27" && fields[2] !== undefined) return fromCode(Number(fields[2]), modifiers, null);
    const name = TILDE_NAMES[fields[0] ?? ""];
    return name ? key(name, modifiers) : null;
  }
  const name = FINAL_NAMES[final];
  return name ? key(name, modifiers) : null;
}

export class KeyDecoder {
  #pending = "";
  #paste: string | null = null;

  /** true: an incomplete sequence waits, perhaps a lone Escape; call `flush` when nothing follows soon. */
  get waiting(): boolean {
    return this.#pending !== "" && this.#paste === null;
  }

  push(chunk: string): TerminalInput[] {
    const events: TerminalInput[] = [];
    this.#pending += chunk;
    while (this.#pending !== "") {
      const before = this.#pending.length;
      const event = this.#paste === null ? this.#next() : this.#nextPaste();
      if (event) events.push(event);
      if (this.#pending.length === before) break;
    }
    return events;
  }

  /** Takes what is pending as it is: a lone Escape is the Escape key. */
  flush(): TerminalInput[] {
    if (!this.waiting) return [];
    const pending = this.#pending;
    this.#pending = "";
    if (pending === "\x1b") return [key("escape")];
    if (pending === "\x1b\x1b") return [key("escape"), key("escape")];
    const rest = this.push(pending.slice(1));
    const first = rest[0];
    if (pending.length === 2 && this.#pending === "" && first?.type === "key")
      return [{ ...first, alt: true, text: null, plain: false }];
    this.#pending = "";
    return [];
  }

  #nextPaste(): TerminalInput | null {
    const end = this.#pending.indexOf(PASTE_END);
    if (end >= 0) {
      const text = this.#paste + this.#pending.slice(0, end);
      this.#pending = this.#pending.slice(end + PASTE_END.length);
      this.#paste = null;
      return { type: "paste", text: text.replace(/\r\n?/g, "\n") };
    }
    // The end marker may be cut: keep what could be its beginning.
    let keep = Math.min(PASTE_END.length - 1, this.#pending.length);
    while (keep > 0 && !PASTE_END.startsWith(this.#pending.slice(-keep))) keep -= 1;
    const cut = this.#pending.length - keep;
    this.#paste += this.#pending.slice(0, cut);
    this.#pending = this.#pending.slice(cut);
    return null;
  }

  #take(length: number): void {
    this.#pending = this.#pending.slice(length);
  }

  #next(): TerminalInput | null {
    const text = this.#pending;
    if (text[0] !== "\x1b") {
      const code = text.codePointAt(0) as number;
      // Half of a surrogate pair at the end of a piece waits for its other half.
      if (code >= 0xd800 && code <= 0xdbff && text.length === 1) return null;
      const char = String.fromCodePoint(code);
      this.#take(char.length);
      return { ...(code < 0x20 || code === 0x7f ? control(code) : character(char)), plain: true };
    }
    if (text.length === 1) return null;
    if (text[1] === "[") return this.#nextCsi(text);
    if (text[1] === "O") {
      if (text.length < 3) return null;
      this.#take(3);
      const name = FINAL_NAMES[text[2] as string];
      return name ? key(name) : null;
    }
    if (text[1] === "]" || text[1] === "P" || text[1] === "_") return this.#skipString(text);
    if (text[1] === "\x1b") {
      // Alt with an escape sequence (rxvt) or two presses of Escape.
      if (text.length === 2) return null;
      this.#take(1);
      if (text[2] !== "[" && text[2] !== "O") return key("escape");
      const inner = this.#next();
      return inner?.type === "key" ? { ...inner, alt: true, text: null } : inner;
    }
    const code = text.codePointAt(1) as number;
    const char = String.fromCodePoint(code);
    this.#take(1 + char.length);
    return code < 0x20 || code === 0x7f ? control(code, 2) : character(char, 2);
  }

  #nextCsi(text: string): TerminalInput | null {
    const match = /^\x1b\[([\x30-\x3f]*)[\x20-\x2f]*([\x40-\x7e])/.exec(text);
    if (!match) {
      // Not a sequence, or one that never ends: drop the introducer.
      if (text.length > MAX_SEQUENCE || /^\x1b\[[\x30-\x3f]*[\x20-\x2f]*[^\x20-\x3f]/.test(text)) this.#take(2);
      return null;
    }
    this.#take(match[0].length);
    if (match[0] === PASTE_START) {
      this.#paste = "";
      return null;
    }
    return csi(match[1] as string, match[2] as string);
  }

  #skipString(text: string): null {
    const match = /^\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)/.exec(text);
    if (match) this.#take(match[0].length);
    else if (text.length > 4096) this.#take(2);
    return null;
  }
}

/** The canonical spelling of a key, as keymaps write it: `ctrl+shift+x`, `alt+enter`, `f1`. */
export function keyId(press: KeyPress): string {
  const typed = press.text !== null && press.name !== "space";
  const parts = [
    press.ctrl ? "ctrl" : "",
    press.alt ? "alt" : "",
    // Shift is already in the character it typed.
    press.shift && !typed ? "shift" : "",
    typed ? (press.text as string) : press.name,
  ];
  return parts.filter((part) => part !== "").join("+");
}
