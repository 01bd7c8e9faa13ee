/**
 * Commands that were allowed once and for all, by how they begin. Kept in a file of the reference's form, one rule a
 * line, so that both programs can read it; lines of other kinds are left alone.
 */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { plainCommands } from "./command-words.js";

const RULE = /^\s*prefix_rule\(\s*pattern\s*=\s*(\[.*?\])\s*,\s*decision\s*=\s*"allow"[^)]*\)\s*$/;

export class CommandRules {
  #prefixes: (readonly string[])[] = [];
  #loading: Promise<void> | undefined;

  /** null: rules hold for this session only. */
  constructor(private readonly file: string | null) {}

  async allows(script: string, argv: readonly string[]): Promise<boolean> {
    await (this.#loading ??= this.#load());
    const commands = plainCommands(script) ?? [argv];
    // Every command of a chain needs a rule: an allowed one must not carry others along.
    return commands.every((words) => this.#prefixes.some((prefix) => begins(words, prefix)));
  }

  /** @throws {Error} the rule holds for this session and could not be written */
  async allow(prefix: readonly string[]): Promise<void> {
    if (prefix.length === 0) return;
    this.#prefixes.push([...prefix]);
    if (this.file === null) return;
    await mkdir(path.dirname(this.file), { recursive: true });
    await appendFile(this.file, `prefix_rule(pattern=${JSON.stringify(prefix)}, decision="allow")\n`);
  }

  async #load(): Promise<void> {
    const text = this.file === null ? "" : await readFile(this.file, "utf8").catch(() => "");
    this.#prefixes.push(...text.split("\n").flatMap((line) => readRule(line) ?? []));
  }
}

function begins(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((word, at) => words[at] === word);
}

function readRule(line: string): [readonly string[]] | undefined {
  const pattern = RULE.exec(line)?.[1];
  if (pattern === undefined) return undefined;
  try {
    const words: unknown = JSON.parse(pattern);
    const usable = Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === "string");
    return usable ? [words] : undefined;
  } catch {
    return undefined;
  }
}
