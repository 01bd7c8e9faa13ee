/** The corpus of single values: fixtures/{accept,reject,legacy}/<Type>/<case>.json. The folder names the schema. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as readers from "../src/legacy/index.js";
import { type Issue, type SchemaName, validate, validatorNames } from "../src/validate/index.js";

const root = join(import.meta.dirname, "..", "fixtures");

function cases(kind: string): { type: string; name: string; value: unknown }[] {
  return readdirSync(join(root, kind)).flatMap((type) =>
    readdirSync(join(root, kind, type)).map((file) => ({
      type,
      name: file.replace(/\.json$/, ""),
      value: JSON.parse(readFileSync(join(root, kind, type, file), "utf8")) as unknown,
    })),
  );
}

const accept = cases("accept");
const reject = cases("reject") as { type: string; name: string; value: { value: unknown; issue: Issue } }[];
const legacy = cases("legacy") as {
  type: string;
  name: string;
  value: { value: unknown; becomes: unknown; upgraded: string[] };
}[];

test("nothing shrinks unseen", () => {
  expect({ accept: accept.length, reject: reject.length, legacy: legacy.length }).toEqual({
    accept: 379,
    reject: 1136,
    legacy: 38,
  });
  expect(new Set(accept.map((one) => one.type)).size).toBe(275);
});

test("every folder names a schema, and every legacy folder a reader", () => {
  for (const { type } of [...accept, ...reject]) expect(validatorNames).toContain(type);
  for (const { type } of legacy) expect(readers).toHaveProperty(`read${type}`);
});

test("accept", () => {
  for (const { type, name, value } of accept) {
    expect({ type, name, result: validate(type as SchemaName, value) }).toEqual({
      type,
      name,
      result: { ok: true, value },
    });
  }
});

test("reject: exactly one issue, with the path of what is wrong", () => {
  for (const { type, name, value } of reject) {
    expect({ type, name, result: validate(type as SchemaName, value.value) }).toEqual({
      type,
      name,
      result: { ok: false, issues: [value.issue] },
    });
  }
});

describe("legacy", () => {
  test.each(legacy.map((one) => [`${one.type}/${one.name}`, one] as const))("%s", (_, { type, value }) => {
    const read = (readers as unknown as Record<string, (value: unknown) => unknown>)[`read${type}`];
    const before = JSON.stringify(value.value);
    expect(read?.(value.value)).toEqual({ ok: true, value: value.becomes, upgraded: value.upgraded });
    expect(JSON.stringify(value.value)).toBe(before);
    expect(read?.(value.becomes)).toEqual({ ok: true, value: value.becomes, upgraded: expect.any(Array) });
  });
});
