/**
 * Recognises what a command does for the person who watches: it reads a file, lists files, searches, or something
 * else. Owns no execution; a wrong guess only changes a label.
 */
import type { ParsedCommand } from "@turnkit/protocol";
import { shellJoin, splitSimpleScript } from "./shell-words.js";

/** `script` is what the model asked for, without the shell around it. */
export function parseCommand(script: string): readonly ParsedCommand[] {
  const unknown: readonly ParsedCommand[] = [{ type: "unknown", cmd: script }];
  const commands = splitSimpleScript(script);
  if (!commands) return unknown;
  const parsed: ParsedCommand[] = [];
  for (const command of commands) {
    // A formatter at the end of a pipe does not change what is done.
    if (command.operator === "|" && isFormatter(command.words)) continue;
    const one = parseWords(command.words, commands.length === 1 ? script : shellJoin(command.words));
    if (!one) return unknown;
    parsed.push(one);
  }
  return parsed.length === 0 ? unknown : parsed;
}

function isFormatter(words: readonly string[]): boolean {
  const [program, ...rest] = words;
  if (program === "head" || program === "tail" || program === "wc" || program === "sort" || program === "uniq")
    return operands(rest, ["-n", "-c", "-k", "-t"]).length === 0;
  return false;
}

function operands(words: readonly string[], flagsWithValue: readonly string[] = []): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") return [...found, ...words.slice(at + 1)];
    if (flagsWithValue.includes(word)) at += 1;
    else if (!word.startsWith("-")) found.push(word);
  }
  return found;
}

function baseName(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.at(-1) ?? path;
}

function read(cmd: string, path: string): ParsedCommand {
  return { type: "read", cmd, name: baseName(path), path };
}

function parseWords(words: readonly string[], cmd: string): ParsedCommand | undefined {
  const [program, ...rest] = words;
  switch (program) {
    case "ls":
    case "eza":
    case "exa":
    case "tree": {
      const [path] = operands(rest, ["-I", "-w", "--block-size", "-L"]);
      return { type: "list_files", cmd, path: path === undefined ? null : baseName(path) };
    }
    case "cat":
    case "bat":
    case "less":
    case "more": {
      const files = operands(rest);
      return files.length === 1 ? read(cmd, files[0]!) : undefined;
    }
    case "head":
    case "tail":
    case "nl": {
      const files = operands(rest, ["-n", "-c", "-s", "-w"]);
      return files.length === 1 ? read(cmd, files[0]!) : undefined;
    }
    case "sed": {
      if (rest[0] !== "-n" || rest.length !== 3 || !/^\d+(,\d+)?p$/.test(rest[1]!)) return undefined;
      return read(cmd, rest[2]!);
    }
    case "rg":
    case "ag": {
      if (rest.includes("--files")) {
        const [path] = operands(rest, ["-g", "--glob", "-t"]);
        return { type: "list_files", cmd, path: path === undefined ? null : baseName(path) };
      }
      return search(cmd, operands(rest, ["-g", "--glob", "-t", "-A", "-B", "-C", "-m", "-e"]));
    }
    case "grep":
    case "egrep":
    case "fgrep":
      return search(cmd, operands(rest, ["-A", "-B", "-C", "-m", "-e", "--include", "--exclude"]));
    default:
      return undefined;
  }
}

function search(cmd: string, found: readonly string[]): ParsedCommand | undefined {
  const [query, path] = found;
  return query === undefined
    ? undefined
    : { type: "search", cmd, query, path: path === undefined ? null : baseName(path) };
}
