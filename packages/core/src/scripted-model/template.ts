/**
 * Templates of script files: `{{answer.language | lower ?? python}}` inside any string.
 * Owns the syntax, the names and the filters; where a template may stand is the script's business.
 */
import type { RequestFacts } from "./request-facts.js";

export interface TemplateScope {
  readonly facts: RequestFacts;
  /** How often this response was played before, from 1 on the first time. */
  readonly round: number;
}

/** Its message says what was missing; the caller adds the place. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

const expression = /\{\{((?:"(?:[^"\\]|\\.)*"|[^}"])*)\}\}/g;

type Value = string | number;
type Source = (argument: string, scope: TemplateScope) => Value | undefined;

/** Names that take an argument after a dot, and what to say when they find nothing. */
const sources: Readonly<Record<string, { readonly read: Source; readonly missing: (argument: string) => string }>> = {
  answer: {
    read: (id, { facts }) =>
      facts.answers(id)?.find((answer) => !answer.startsWith("user_note: ")) ?? facts.answers(id)?.[0],
    missing: (id) => `no answer to question "${id}"`,
  },
  note: {
    read: (id, { facts }) =>
      facts
        .answers(id)
        ?.find((answer) => answer.startsWith("user_note: "))
        ?.slice("user_note: ".length),
    missing: (id) => `no note on question "${id}"`,
  },
  session: {
    read: (call, { facts }) => facts.session(call),
    missing: (call) => `no output of call "${call}" that names a session`,
  },
  exit: {
    read: (call, { facts }) => facts.exitCode(call),
    missing: (call) => `no output of call "${call}" that names an exit code`,
  },
  output: { read: (call, { facts }) => facts.output(call), missing: (call) => `no output of call "${call}"` },
  rawOutput: { read: (call, { facts }) => facts.rawOutput(call), missing: (call) => `no output of call "${call}"` },
};

const names: Readonly<Record<string, (scope: TemplateScope) => Value | undefined>> = {
  lastUserText: ({ facts }) => facts.lastUserText(),
  firstUserText: ({ facts }) => facts.userTexts()[0],
  lastOutput: ({ facts }) => facts.output("*"),
  model: ({ facts }) => facts.model,
  round: ({ round }) => round,
};

const filters: Readonly<Record<string, (text: string) => string>> = {
  trim: (text) => text.trim(),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  firstWord: (text) => /\S+/.exec(text)?.[0] ?? "",
  firstLine: (text) => text.trim().split(/\r?\n/, 1)[0] ?? "",
  lastLine: (text) => text.trim().split(/\r?\n/).at(-1) ?? "",
  json: (text) => JSON.stringify(text),
};

/** A string that is one template as a whole keeps a number a number. @throws {TemplateError} */
export function render(text: string, scope: TemplateScope): Value {
  const whole = /^\{\{((?:"(?:[^"\\]|\\.)*"|[^}"])*)\}\}$/.exec(text);
  if (whole) return evaluate(whole[1]!, scope);
  return text.replace(expression, (_, inner: string) => String(evaluate(inner, scope)));
}

/** Renders every string inside a JSON value. @throws {TemplateError} */
export function renderAll(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === "string") return render(value, scope);
  if (Array.isArray(value)) return value.map((entry) => renderAll(entry, scope));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, renderAll(entry, scope)]));
}

/** What is wrong with the templates of a text, before any request is there; undefined: nothing. */
export function templateMistake(text: string): string | undefined {
  for (const [, inner] of text.matchAll(expression)) {
    const mistake = parse(inner!).mistake;
    if (mistake !== undefined) return `{{${inner}}}: ${mistake}`;
  }
  return text.replace(expression, "").includes("{{") ? "a {{ without its }}" : undefined;
}

interface Parsed {
  readonly read: (scope: TemplateScope) => Value | undefined;
  readonly missing: string;
  readonly filters: readonly ((text: string) => string)[];
  readonly otherwise: string | undefined;
  readonly mistake: string | undefined;
}

function parse(inner: string): Parsed {
  const fallback = /^([\s\S]*?)\?\?([\s\S]*)$/.exec(inner.startsWith('"') ? "" : inner);
  const [head = "", ...filterNames] = (fallback?.[1] ?? inner).trim().split(/\s*\|\s*/);
  const chosen = filterNames.map((name) => filters[name]);
  const unknownFilter = filterNames.find((name) => !Object.hasOwn(filters, name));
  const base = {
    filters: chosen.filter((filter) => filter !== undefined),
    otherwise: fallback?.[2]?.trim(),
    mistake:
      unknownFilter === undefined
        ? undefined
        : `no filter "${unknownFilter}" (there are ${Object.keys(filters).join(", ")})`,
  };
  if (head.startsWith('"')) return { ...base, read: () => JSON.parse(head) as string, missing: "" };
  if (Object.hasOwn(names, head)) return { ...base, read: names[head]!, missing: `the request has no ${head}` };
  const dot = head.indexOf(".");
  const source = dot > 0 && Object.hasOwn(sources, head.slice(0, dot)) ? sources[head.slice(0, dot)] : undefined;
  const argument = head.slice(dot + 1);
  if (source !== undefined && argument !== "")
    return {
      ...base,
      read: (scope) => source.read(argument, scope),
      missing: `the request has ${source.missing(argument)}`,
    };
  const known = [...Object.keys(names), ...Object.keys(sources).map((name) => `${name}.ID`)].join(", ");
  return { ...base, read: () => undefined, missing: "", mistake: `no such value (there are ${known})` };
}

function evaluate(inner: string, scope: TemplateScope): Value {
  const parsed = parse(inner);
  if (parsed.mistake !== undefined) throw new TemplateError(`{{${inner}}}: ${parsed.mistake}`);
  const value = parsed.read(scope) ?? parsed.otherwise;
  if (value === undefined) throw new TemplateError(`{{${inner}}}: ${parsed.missing}`);
  return parsed.filters.reduce<Value>((text, filter) => filter(String(text)), value);
}
