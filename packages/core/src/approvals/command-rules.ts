/**
 * Rules about commands by how they begin: those a person has allowed once and for all, and those in the files of rules, which
 * may also ask or forbid. The files have the reference's form, so that both programs can read them.
 */
import { appendFile, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { shellJoin } from "@turnkit/tools";
import { plainCommands, strippedCommands } from "./command-words.js";
import { type CommandRule, type RuleDecision, readRuleFile } from "./rule-file.js";

export interface Judgement {
  /** undefined: there is a command that no rule speaks of, and none that is asked about or forbidden. */
  readonly decision: RuleDecision | undefined;
  /** The rule's own; of one that forbids always a text. */
  readonly justification: string | undefined;
  /** The command that a new rule would have to allow; undefined: the script is no list of plain commands. */
  readonly missing: readonly string[] | undefined;
}

const STRICTEST: readonly RuleDecision[] = ["forbidden", "prompt", "allow"];

export class CommandRules {
  readonly #rules: CommandRule[] = [];
  #loading: Promise<void> | undefined;
  #problems: string[] = [];

  /** The file that new rules are added to; all `*.rules` beside it are read. null: rules hold for this session only. */
  constructor(private readonly file: string | null) {}

  async judge(script: string, argv: readonly string[]): Promise<Judgement> {
    await (this.#loading ??= this.#load());
    const plain = plainCommands(script);
    // Every command of a chain needs a rule: an allowed one must not carry others along.
    const commands = plain ?? [argv];
    const missing = commands.find((words) => !this.#matching(words).some(({ decision }) => decision === "allow"));
    // What is asked about or forbidden is not to be had by setting a variable before it, or by spelling out its path.
    const strict = [...commands, ...(strippedCommands(script) ?? [])].flatMap((words) =>
      this.#matching([baseName(words[0] ?? ""), ...words.slice(1)], words).filter(
        ({ decision }) => decision !== "allow",
      ),
    );
    for (const decision of STRICTEST) {
      const rule = strict.find((candidate) => candidate.decision === decision);
      if (rule)
        return {
          decision,
          justification: rule.justification ?? (decision === "forbidden" ? aboutRule(rule) : undefined),
          missing: undefined,
        };
    }
    const decision = missing === undefined ? "allow" : undefined;
    return { decision, justification: undefined, missing: plain === undefined ? undefined : missing };
  }

  /** What was wrong with the files, once. */
  takeProblems(): readonly string[] {
    return this.#problems.splice(0);
  }

  /** @throws {Error} the rule holds for this session and could not be written */
  async allow(prefix: readonly string[]): Promise<void> {
    if (prefix.length === 0) return;
    this.#rules.push({ pattern: prefix.map((word) => [word]), decision: "allow", justification: undefined });
    if (this.file === null) return;
    await mkdir(path.dirname(this.file), { recursive: true });
    await appendFile(this.file, `prefix_rule(pattern=${JSON.stringify(prefix)}, decision="allow")\n`);
  }

  #matching(...readings: readonly (readonly string[])[]): readonly CommandRule[] {
    return this.#rules.filter(({ pattern }) =>
      readings.some((words) => pattern.every((texts, at) => words[at] !== undefined && texts.includes(words[at]))),
    );
  }

  async #load(): Promise<void> {
    if (this.file === null) return;
    const folder = path.dirname(this.file);
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => this.#unreadable(folder, error));
    for (const name of (names ?? []).filter((name) => name.endsWith(".rules")).sort()) {
      const file = path.join(folder, name);
      const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => this.#unreadable(file, error));
      const { rules, problems } = readRuleFile(text ?? "");
      this.#rules.push(...rules);
      this.#problems.push(...problems.map((problem) => `${file}: ${problem}; the rule is not used`));
    }
  }

  #unreadable(place: string, { code, message }: NodeJS.ErrnoException): undefined {
    if (code !== "ENOENT" && code !== "ENOTDIR") this.#problems.push(`${place} cannot be read: ${message}`);
  }
}

const baseName = (program: string) => program.slice(program.lastIndexOf("/") + 1);

function aboutRule({ pattern }: CommandRule): string {
  return `policy forbids commands starting with \`${shellJoin(pattern.map(([word = ""]) => word))}\``;
}
