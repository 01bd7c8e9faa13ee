/**
 * What a program wrote, as lines a person can read: escape sequences removed, carriage returns and backspaces acted on.
 * Pure; cursor addressing is not interpreted (a full-screen program shows as its text).
 */
import { visibleControls } from "../terminal/text-width.js";

const SEQUENCES =
  /\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[\x20-\x2f]*[\x30-\x7e]|\x9b[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]/g;

function overwrite(line: string): string {
  if (!line.includes("\r") && !line.includes("\b")) return line;
  let cells: string[] = [];
  let at = 0;
  for (const char of line) {
    if (char === "\r") at = 0;
    else if (char === "\b") at = Math.max(0, at - 1);
    else {
      cells[at] = char;
      at += 1;
    }
  }
  cells = Array.from(cells, (cell) => cell ?? " ");
  return cells.join("");
}

/** The text's lines; a final newline adds none. */
export function terminalLines(output: string): string[] {
  const text = output
    .replace(SEQUENCES, "")
    .replace(/\r+\n/g, "\n")
    .replace(/[\x00\x07]/g, "");
  const lines = text.split("\n").map((line) => visibleControls(overwrite(line.replace(/\r+$/, ""))).trimEnd());
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  while (lines.length > 0 && lines[0] === "") lines.shift();
  return lines;
}

/** What was typed into a terminal, on one line: control characters by the names of their keys. */
export function typedText(stdin: string): string {
  const names: Readonly<Record<string, string>> = {
    "\n": "⏎",
    "\r": "⏎",
    "\t": "⇥",
    "\x03": "^C",
    "\x04": "^D",
    "\x1b": "^[",
    "\x1a": "^Z",
  };
  return Array.from(stdin, (char) => names[char] ?? visibleControls(char)).join("");
}

/** The command inside `/bin/bash -lc '…'`; anything else is shown as it is. */
export function shownCommand(command: string): string {
  const match = /^\S*\/?(?:bash|zsh|sh|dash)\s+-l?c\s+([\s\S]+)$/.exec(command);
  if (!match) return command;
  const quoted = (match[1] as string).trim();
  if (!/^['"]/.test(quoted)) return quoted;
  let text = "";
  let quote = "";
  for (let at = 0; at < quoted.length; at += 1) {
    const char = quoted[at] as string;
    if (quote === "") {
      if (char === "'" || char === '"') quote = char;
      else if (char === "\\" && at + 1 < quoted.length) text += quoted[(at += 1)];
      else if (/\s/.test(char)) return command;
      else text += char;
    } else if (char === quote) quote = "";
    else if (quote === '"' && char === "\\" && /["\\$`]/.test(quoted[at + 1] ?? "")) text += quoted[(at += 1)];
    else text += char;
  }
  return quote === "" ? text : command;
}
