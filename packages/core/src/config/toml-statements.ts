/** A TOML text cut into its statements, so that one of them can be changed and every other byte stays. Owns no meaning. */
import { parse } from "smol-toml";
import { keyPath } from "./key-lines.js";

export interface TomlStatement {
  readonly kind: "assignment" | "table" | "array-table";
  /** From the root, the table above included. */
  readonly path: readonly string[];
  /** Lines `first` to `end` (exclusive), counted from 0. */
  readonly first: number;
  readonly end: number;
}

const HEADER = /^\s*(\[{1,2})((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])+)\]{1,2}/;
const KEY = /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]|\s*\.\s*)+?)\s*=/;

const parses = (text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The line after the value that begins on line `first`. Values go over several lines only inside of brackets or quotes. */
function endOfValue(lines: readonly string[], first: number): number {
  for (let end = first + 1; end <= lines.length; end += 1) {
    if (parses(lines.slice(first, end).join("\n"))) return end;
  }
  return first + 1;
}

/** Statements in their order. `text` must be valid TOML. */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const lines = text.split("\n");
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let line = 0; line < lines.length; ) {
    const content = lines[line]!;
    const header = HEADER.exec(content);
    const key = header ? null : KEY.exec(content);
    let end = line + 1;
    if (header) {
      table = keyPath(header[2]!);
      const kind = header[1] === "[[" ? "array-table" : "table";
      statements.push({ kind, path: table, first: line, end });
    } else if (key) {
      end = endOfValue(lines, line);
      statements.push({ kind: "assignment", path: [...table, ...keyPath(key[1]!)], first: line, end });
    }
    line = end;
  }
  return statements;
}

/** Where a comment begins after the value of a one-line assignment; the line's length when there is none. */
export function commentStart(line: string): number {
  for (let at = line.indexOf("#"); at >= 0; at = line.indexOf("#", at + 1)) {
    if (parses(line.slice(0, at))) return line.slice(0, at).trimEnd().length;
  }
  return line.trimEnd().length;
}
