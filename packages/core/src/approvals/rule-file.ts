/**
 * Reads files of rules about commands: the part of Starlark that such files use, which are calls with texts and lists, and
 * names for them. What cannot be read is a problem with its line, and costs no other rule. Pure.
 */

export type RuleDecision = "allow" | "prompt" | "forbidden";

export interface CommandRule {
  /** One entry for each leading word: the texts that it may be. */
  readonly pattern: readonly (readonly string[])[];
  readonly decision: RuleDecision;
  readonly justification: string | undefined;
}

export interface RuleFile {
  readonly rules: readonly CommandRule[];
  /** Each with the number of its line. */
  readonly problems: readonly string[];
}

const DECISIONS: ReadonlySet<string> = new Set(["allow", "prompt", "forbidden"]);

export function readRuleFile(text: string): RuleFile {
  const rules: CommandRule[] = [];
  const problems: string[] = [];
  const names = new Map<string, unknown>();
  for (const { line, source } of statements(text)) {
    try {
      const rule = new Statement(source, names).read();
      if (rule) rules.push(rule);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      problems.push(`line ${line}: ${error.message}`);
    }
  }
  return { rules, problems };
}

class RuleError extends Error {
  override readonly name = "RuleError";
}

/** A statement begins in the first column; what is indented, or closes a bracket there, belongs to the one before. */
function statements(text: string): readonly { readonly line: number; readonly source: string }[] {
  const found: { line: number; source: string }[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const last = found.at(-1);
    if (/^[\s)\]#]/.test(line) || line === "") {
      if (last) last.source += `\n${line}`;
      else if (line.trim() !== "" && !line.trim().startsWith("#")) found.push({ line: index + 1, source: line });
    } else found.push({ line: index + 1, source: line });
  }
  return found;
}

const TOKEN = /[ \t\r\n]+|#[^\n]*|([A-Za-z_]\w*|\d+)|("(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')|([()[\],=])/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

interface Token {
  readonly kind: "name" | "text" | "mark" | "end";
  readonly value: string;
}

class Statement {
  readonly #tokens: Token[];
  #at = 0;

  constructor(
    source: string,
    private readonly names: Map<string, unknown>,
  ) {
    this.#tokens = [...tokens(source)];
  }

  /** undefined: the statement is no rule about commands. */
  read(): CommandRule | undefined {
    const name = this.#take("name").value;
    if (this.#is("=")) {
      this.#at += 1;
      this.names.set(name, this.#value());
      this.#take("end");
      return undefined;
    }
    const given = this.#call();
    this.#take("end");
    return name === "prefix_rule" ? ruleOf(given) : undefined;
  }

  #call(): ReadonlyMap<string, unknown> {
    const given = new Map<string, unknown>();
    const order = ["pattern", "decision"];
    this.#mark("(");
    while (!this.#is(")")) {
      const next = this.#tokens[this.#at + 1];
      const named = this.#tokens[this.#at]?.kind === "name" && next?.kind === "mark" && next.value === "=";
      const key = named ? this.#take("name").value : (order[given.size] ?? `argument ${given.size + 1}`);
      if (named) this.#mark("=");
      given.set(key, this.#value());
      if (!this.#is(")")) this.#mark(",");
    }
    this.#mark(")");
    return given;
  }

  #value(): unknown {
    const token = this.#tokens[this.#at++]!;
    if (token.kind === "text") return token.value;
    if (token.kind === "name") {
      if (token.value === "None") return undefined;
      if (/^\d+$/.test(token.value)) return Number(token.value);
      if (token.value === "True" || token.value === "False") return token.value === "True";
      if (this.names.has(token.value)) return this.names.get(token.value);
      throw new RuleError(`${token.value} is not known`);
    }
    if (token.kind !== "mark" || token.value !== "[") throw new RuleError(`unexpected ${shown(token)}`);
    const list: unknown[] = [];
    while (!this.#is("]")) {
      list.push(this.#value());
      if (!this.#is("]")) this.#mark(",");
    }
    this.#mark("]");
    return list;
  }

  #is(mark: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "mark" && token.value === mark;
  }

  #mark(mark: string): void {
    const token = this.#take("mark");
    if (token.value !== mark) throw new RuleError(`unexpected ${shown(token)}, expected ${mark}`);
  }

  #take(kind: Token["kind"]): Token {
    const token = this.#tokens[this.#at++]!;
    if (token.kind !== kind) throw new RuleError(`unexpected ${shown(token)}`);
    return token;
  }
}

const shown = ({ kind, value }: Token) => (kind === "end" ? "end of the statement" : JSON.stringify(value));

function* tokens(source: string): Generator<Token> {
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(source);
    if (!found) throw new RuleError(`unexpected ${JSON.stringify(source[at])}`);
    const [, name, text, mark] = found;
    const after = TOKEN.lastIndex;
    if (name !== undefined) yield { kind: "name", value: name };
    if (mark !== undefined) yield { kind: "mark", value: mark };
    if (text !== undefined) {
      const value = text.slice(1, -1).replace(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
      yield { kind: "text", value };
    }
    TOKEN.lastIndex = after;
  }
  // A statement is read one token beyond its end.
  yield { kind: "end", value: "" };
  yield { kind: "end", value: "" };
}

function ruleOf(given: ReadonlyMap<string, unknown>): CommandRule {
  const words = given.get("pattern");
  if (!Array.isArray(words) || words.length === 0) throw new RuleError("pattern must be a list of words");
  const pattern = words.map((word: unknown): readonly string[] => {
    const texts = typeof word === "string" ? [word] : word;
    if (!Array.isArray(texts) || texts.length === 0 || !texts.every((text) => typeof text === "string"))
      throw new RuleError("pattern must be a list of texts, or of lists of texts");
    return texts as string[];
  });
  const decision = given.get("decision") ?? "allow";
  if (typeof decision !== "string" || !DECISIONS.has(decision))
    throw new RuleError('decision must be "allow", "prompt" or "forbidden"');
  const justification = given.get("justification");
  return {
    pattern,
    decision: decision as RuleDecision,
    justification: typeof justification === "string" ? justification : undefined,
  };
}
