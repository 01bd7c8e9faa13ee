import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { definition, jsonSchema, schemaBundles, schemaNames } from "./registry.js";
import { validatorNames } from "./validate/index.js";

const packageFolder = join(import.meta.dirname, "..");

test.each(Object.entries(schemaBundles()))("schema/%s.json is what the schemas say", (family, bundle) => {
  let written = "";
  try {
    written = readFileSync(join(packageFolder, "schema", `${family}.json`), "utf8");
  } catch {
    // A missing file differs, and the message below says what to do.
  }
  expect(
    written === `${JSON.stringify(bundle, null, 2)}\n`,
    "run: node packages/protocol/scripts/write-schema.mjs",
  ).toBe(true);
});

test("every schema has a validator, and the validators are of these schemas", () => {
  expect(validatorNames.slice().sort(), "run: node packages/protocol/scripts/generate.mjs").toEqual(schemaNames());
});

test("a printed schema stands alone", () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, discriminator: true });
  const schema = jsonSchema("TurnStartParams");
  expect(schema).toMatchObject({ title: "TurnStartParams", type: "object", required: ["threadId", "input"] });
  const check = ajv.compile(schema);
  expect(check({ threadId: "t", input: [{ type: "text", text: "hello" }] })).toBe(true);
  expect(check({ threadId: "t", input: [{ type: "text" }] })).toBe(false);
});

test("a name that is not there is said", () => {
  expect(() => jsonSchema("Nothing")).toThrow("there is no schema named Nothing");
});

test("named schemas inside others become references", () => {
  expect(definition("TurnStartedNotification")).toEqual({
    schema: {
      type: "object",
      required: ["threadId", "turn"],
      properties: { threadId: { type: "string" }, turn: { $ref: "Turn" } },
    },
    references: ["Turn"],
  });
});
