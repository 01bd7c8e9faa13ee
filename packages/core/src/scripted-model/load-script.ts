/**
 * Reads a script file: JSON, then shape, then templates and patterns. One error, naming the place.
 * The shape is the protocol's `ScriptFile`; nothing of a bad file is played.
 */
import type { ScriptCondition, ScriptEntry, ScriptItem } from "@turnkit/protocol";
import { memberPath, validate } from "@turnkit/protocol/validate";
import type { Script } from "./script.js";
import { templateMistake } from "./template.js";

/** `message` reads `FILE: responses[2].items[0].name must be string`. */
export class ScriptFileError extends Error {
  override readonly name = "ScriptFileError";
  readonly fileName: string;
  /** Where, such as `responses[2].items[0].name`; empty for the file as a whole. */
  readonly path: string;

  constructor(fileName: string, path: string, rule: string) {
    super(`${fileName}: ${path === "" ? "" : `${path} `}${rule}`);
    this.fileName = fileName;
    this.path = path;
  }
}

/** @throws {ScriptFileError} */
export function loadScript(text: string, fileName: string): Script {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ScriptFileError(fileName, "", `is not JSON: ${(error as Error).message}`);
  }
  const read = validate("ScriptFile", value);
  if (!read.ok) {
    const [issue] = read.issues;
    throw new ScriptFileError(fileName, issue?.path ?? "", issue?.message ?? "is not valid");
  }
  const { responses, repeat = [] } = read.value;
  const mistake = firstMistake([...entriesAt(responses, "responses"), ...entriesAt(repeat, "repeat")]);
  if (mistake) throw new ScriptFileError(fileName, mistake.path, mistake.rule);
  return { fileName, responses, repeat };
}

interface Part {
  readonly path: string;
  readonly value: unknown;
  readonly kind: "template" | "pattern";
}

function firstMistake(parts: readonly Part[]): { readonly path: string; readonly rule: string } | undefined {
  for (const { path, value, kind } of parts) {
    if (typeof value !== "string") continue;
    const rule = kind === "pattern" ? patternMistake(value) : mistakeOfTemplate(value);
    if (rule !== undefined) return { path, rule };
  }
  return undefined;
}

function patternMistake(text: string): string | undefined {
  try {
    new RegExp(text, "u");
    return undefined;
  } catch {
    return "must be a regular expression";
  }
}

function mistakeOfTemplate(text: string): string | undefined {
  const mistake = templateMistake(text);
  return mistake === undefined ? undefined : `has a template that cannot be read: ${mistake}`;
}

function entriesAt(entries: readonly ScriptEntry[], path: string): Part[] {
  return entries.flatMap((entry, index) => {
    const at = (key: string) => memberPath(memberPath(path, index), key);
    return [
      ...conditionAt(entry.when, at("when")),
      ...conditionAt(entry.until, at("until")),
      ...(entry.items ?? []).flatMap((item, place) => itemAt(item, memberPath(at("items"), place))),
      ...templatesIn(entry.failed?.message, memberPath(at("failed"), "message")),
    ];
  });
}

function conditionAt(condition: ScriptCondition | undefined, path: string): Part[] {
  if (!condition) return [];
  const { matches, not, ...outputs } = condition;
  const at = memberPath(path, "matches");
  return [
    ...templatesIn(outputs, path),
    ...templatesIn(matches?.text, memberPath(at, "text")),
    { path: memberPath(at, "pattern"), value: matches?.pattern, kind: "pattern" },
    ...conditionAt(not, memberPath(path, "not")),
  ];
}

/** What an item says is templates; what it is, and the phase of a message, is not. */
function itemAt({ type: _, ...members }: ScriptItem, path: string): Part[] {
  return templatesIn("phase" in members ? { ...members, phase: undefined } : members, path);
}

/** Every string inside of a JSON value. */
function templatesIn(value: unknown, path: string): Part[] {
  if (typeof value === "string") return [{ path, value, kind: "template" }];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((inner, index) => templatesIn(inner, memberPath(path, index)));
  return Object.entries(value).flatMap(([key, inner]) => templatesIn(inner, memberPath(path, key)));
}
