/** What a reader answers: a value of today's shape, or why there is none. */
import type { SchemaName, SchemaTypes } from "../schema-types.js";
import { judge } from "../validate/all.js";
import type { Issue } from "../validate/issue.js";

export type ReadResult<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** What was old about it, one entry for each rule that applied. */
      readonly upgraded: readonly string[];
    }
  | {
      readonly ok: false;
      /** `unknown`: of a version this one does not know; keep it as it is. `invalid`: malformed. */
      readonly reason: "unknown" | "invalid";
      readonly issues: readonly Issue[];
    };

export type JsonObject = Record<string, unknown>;

/** Collects what was upgraded. */
export type Note = (rule: string) => void;

/** Brings an old value to today's shape without changing the original; returns the same object when nothing is old. */
export type Upgrade = (value: JsonObject, note: Note) => JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Upgrade, then validate. */
export function readAs<Name extends SchemaName>(
  name: Name,
  value: unknown,
  upgrade: Upgrade,
): ReadResult<SchemaTypes[Name]> {
  const upgraded: string[] = [];
  const current = isObject(value) ? upgrade(value, (rule) => upgraded.push(rule)) : value;
  const refusal = judge(name, current);
  if (refusal) return { ok: false, reason: refusal.unknown ? "unknown" : "invalid", issues: [refusal.issue] };
  return { ok: true, value: current as SchemaTypes[Name], upgraded };
}
