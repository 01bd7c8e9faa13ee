/** That the comparison with the reference's schemas sees what it must: small changes to our own schemas. */
import { expect, test } from "vitest";
import { ourSchemas, type Schema, type SchemaSource } from "./json-schema/schema-source.js";
import { Comparison } from "./reference-schema/compare-shapes.js";

const ours = ourSchemas();

type Open = { [word: string]: unknown };

/** Our schemas as somebody else would have them: one of them changed. */
function changed(name: string, change: (schema: Open) => void): SchemaSource {
  const copy = structuredClone(ours.named(name)) as Open;
  change(copy);
  return {
    ...ours,
    named: (asked) => (asked === name ? (copy as Schema) : ours.named(asked)),
    resolve(reference) {
      const found = ours.resolve(reference);
      return found.name === name ? { name, schema: copy as Schema } : found;
    },
  };
}

function differences(name: string, theirs: SchemaSource): string[] {
  const comparison = new Comparison(ours, theirs);
  comparison.compare(ours.named(name), theirs.named(name), name);
  return comparison.differences.map(({ at, what }) => `${at} ${what}`);
}

/** A node inside of a schema, by the words that lead to it. */
function inside(schema: Open, ...path: (string | number)[]): Open {
  return path.reduce<Open>((node, word) => node[word] as Open, schema);
}

test("nothing differs from itself, over all schemas", () => {
  const comparison = new Comparison(ours, ours);
  for (const name of ours.names()) comparison.compare(ours.named(name), ours.named(name), name);
  expect(comparison.differences).toEqual([]);
  expect(comparison.compared.size).toBeGreaterThan(200);
});

test.each<[string, string, (schema: Open) => void, string[]]>([
  [
    "a member too many",
    "Turn",
    (schema) => {
      inside(schema, "properties").extra = {};
    },
    ["Turn.extra is missing"],
  ],
  [
    "a member too few",
    "Turn",
    (schema) => {
      delete inside(schema, "properties").durationMs;
    },
    ["Turn.durationMs is not a member in the reference"],
  ],
  [
    "a required member",
    "TextRange",
    (schema) => {
      schema.required = ["start"];
    },
    ["TextRange.end is required; in the reference it is not"],
  ],
  [
    "an enum",
    "ImageDetail",
    (schema) => {
      schema.enum = ["auto", "low", "high", "tiny"];
    },
    ["ImageDetail has the values original; the reference has not", "ImageDetail lacks the values tiny"],
  ],
  [
    "a string in place of an enum",
    "ImageDetail",
    (schema) => {
      delete schema.enum;
    },
    ["ImageDetail is an enum; the reference none"],
  ],
  [
    "null",
    "AppGitInfo",
    (schema) => {
      inside(schema, "properties").sha = { type: "string" };
    },
    ["AppGitInfo.sha takes null | string; the reference takes string"],
  ],
  [
    "a bound",
    "ByteRange",
    (schema) => {
      inside(schema, "properties").end = { type: "integer" };
    },
    ["ByteRange.end takes integer, minimum 0; the reference takes integer"],
  ],
  [
    "a form of a tagged union",
    "ThreadStatus",
    (schema) => {
      schema.oneOf = (schema.oneOf as unknown[]).slice(1);
    },
    ["ThreadStatus has the form {type=notLoaded}; the reference has not"],
  ],
  [
    "a member inside of a form",
    "AppUserInput",
    (schema) => {
      delete inside(schema, "oneOf", 1, "properties").url;
    },
    ["AppUserInput{type=image}.url is not a member in the reference"],
  ],
  [
    "an externally tagged form",
    "AppSessionSource",
    (schema) => {
      schema.anyOf = (schema.anyOf as unknown[]).slice(0, 2);
    },
    ["AppSessionSource has the form {subAgent}; the reference has not"],
  ],
  [
    "whether unknown members are taken",
    "TextRange",
    (schema) => {
      schema.additionalProperties = false;
    },
    ["TextRange is open; in the reference closed"],
  ],
  [
    "items of an array",
    "ThreadLoadedListResponse",
    (schema) => {
      inside(schema, "properties", "data").items = { type: "integer" };
    },
    ["ThreadLoadedListResponse.data[] takes string; the reference takes integer"],
  ],
])("sees a difference in %s", (_what, name, change, expected) => {
  expect(differences(name, changed(name, change))).toEqual(expected);
});

test("sees a difference far below the type it starts from", () => {
  const theirs = changed("AppTextElement", (schema) => {
    schema.required = [];
  });
  expect(differences("ThreadStartResponse", theirs)).toEqual([
    "AppTextElement.byteRange is required; in the reference it is not",
  ]);
});

test("reads schemas as another generator writes them", () => {
  const theirs: SchemaSource = {
    ...ours,
    resolve: () => ({ name: "Unit", schema: { enum: ["asc", "desc"], type: "string" } }),
    named: () => true,
  };
  const equal = (mine: Schema, other: Schema): string[] => {
    const comparison = new Comparison(ours, theirs);
    comparison.compare(mine, other, "X");
    return comparison.differences.map(({ at, what }) => `${at} ${what}`);
  };
  expect(equal({ $ref: "#/definitions/SortDirection" }, { allOf: [{ $ref: "#/definitions/Unit" }] })).toEqual([]);
  expect(equal({ type: ["string", "null"] }, { anyOf: [{ type: "string" }, { type: "null" }] })).toEqual([]);
  expect(equal({}, true)).toEqual([]);
  expect(
    equal(
      { type: "object", patternProperties: { "^.*$": { type: "string" } } },
      { type: "object", additionalProperties: { type: "string" } },
    ),
  ).toEqual([]);
  expect(
    equal(
      { oneOf: [{ type: "object", properties: { a: {}, type: { const: "x" } }, required: ["type"] }] },
      {
        type: "object",
        properties: { a: {} },
        oneOf: [{ type: "object", properties: { type: { type: "string", enum: ["x"] } }, required: ["type"] }],
      },
    ),
  ).toEqual([]);
});
