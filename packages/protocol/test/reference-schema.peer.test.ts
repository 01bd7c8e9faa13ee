/** Our schemas against those that the genuine program writes of itself. */
import { Ajv, type ValidateFunction } from "ajv";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { AppMethods, appRequestOrder } from "../src/app/index.js";
import type { JsonSchema } from "../src/schemas.js";
import { validate, validatorNames } from "../src/validate/index.js";
import { ValuesOf } from "./json-schema/arbitrary.js";
import { ourSchemas, referenceSchemas, type SchemaSource, withoutForms } from "./json-schema/schema-source.js";
import { Comparison } from "./reference-schema/compare-shapes.js";
import { pairs, referenceName, unpublished } from "./reference-schema/counterparts.js";
import { explainedDifferences, ourOwnForms, outOfScope } from "./reference-schema/explained-differences.js";
import { generateReferenceSchema, referenceProgram } from "./reference-schema/reference-program.js";

const program = referenceProgram();
const missing = "missing" in program ? program.missing : undefined;
const runs = process.env.TURNKIT_SOAK === "1" ? 1000 : 30;
const patience = process.env.TURNKIT_SOAK === "1" ? 1_800_000 : 180_000;

interface Variant {
  readonly properties: {
    readonly method: { readonly enum: readonly [string] };
    readonly params?: { readonly $ref?: string };
  };
}

describe.skipIf(missing !== undefined)(`the reference's schema${missing ? ` (${missing})` : ""}`, () => {
  const ours = ourSchemas();
  let document: JsonSchema;
  let theirs: SchemaSource;

  beforeAll(async () => {
    if ("file" in program) document = await generateReferenceSchema(program.file);
    theirs = referenceSchemas(document);
  });

  /** Method and name of params, in the reference's order. */
  function methodsOf(union: string): [string, string | undefined][] {
    const { oneOf } = theirs.named(union) as unknown as { oneOf: readonly Variant[] };
    return oneOf.map(({ properties: { method, params } }) => [method.enum[0], params?.$ref?.split("/").at(-1)]);
  }

  test("has a partner for each of our schemas, or a reason why not", () => {
    const { pairs: found, alone } = pairs(ours, theirs);
    expect(alone).toEqual(Object.values(unpublished).flat().sort());
    expect(found.length).toBeGreaterThanOrEqual(480);
    expect(validatorNames).toEqual(expect.arrayContaining(found.map(([name]) => name)));
  });

  test("differs from ours nowhere but where it is explained", () => {
    const comparison = new Comparison(ours, theirs);
    for (const [name, other] of pairs(ours, theirs).pairs)
      comparison.compare(ours.named(name), theirs.named(other), name);
    const explained = explainedDifferences.map(({ at, what }) => `${at} ${what}`);
    expect(comparison.differences.map(({ at, what }) => `${at} ${what}`).sort()).toEqual(explained.sort());
  });

  test.each([
    ["ClientRequest", "clientRequests"],
    ["ServerRequest", "serverRequests"],
    ["ServerNotification", "serverNotifications"],
    ["ClientNotification", "clientNotifications"],
  ] as const)("names params and results of every %s as we do", (union, table) => {
    const known = new Map(methodsOf(union));
    const entries = Object.entries(AppMethods[table]) as [string, { params: string; result?: string }][];
    expect(entries.map(([method]) => method).filter((method) => !known.has(method))).toEqual([]);
    for (const [method, { params, result }] of entries) {
      if (params !== "NoParams")
        expect([method, referenceName(params as never, ours, theirs)]).toEqual([method, known.get(method)]);
      else expect([method, known.get(method)]).toEqual([method, undefined]);
      if (result !== undefined) expect(theirs.names()).toContain(referenceName(result, ours, theirs));
    }
  });

  test("has no method that we neither speak nor leave out on purpose", () => {
    const old = new Set(["getAuthStatus", "getConversationSummary", "gitDiffToRemote"]);
    expect(appRequestOrder.filter((method) => !old.has(method))).toEqual(
      methodsOf("ClientRequest").map(([method]) => method),
    );
    const left = (["ServerRequest", "ServerNotification"] as const).flatMap((union) => {
      const spoken = union === "ServerRequest" ? AppMethods.serverRequests : AppMethods.serverNotifications;
      return methodsOf(union).flatMap(([method]) => (Object.hasOwn(spoken, method) ? [] : [method]));
    });
    expect(left.sort()).toEqual(Object.values(outOfScope).flat().sort());
  });

  test("accepts what our schemas accept", { timeout: patience }, () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(document as object, "reference");
    const { v2 } = document.definitions as { v2: object };
    const compiled = (name: string): ValidateFunction =>
      ajv.compile({ $ref: `reference#/definitions/${Object.hasOwn(v2, name) ? "v2/" : ""}${name}` });
    const values = new ValuesOf(withoutForms(ours, ourOwnForms));
    for (const [name, other] of pairs(ours, theirs).pairs) {
      const accepts = compiled(other);
      fc.assert(
        fc.property(values.named(name), (value) => {
          const sent: unknown = JSON.parse(JSON.stringify(value));
          if (!accepts(sent)) throw new Error(`${name}: ${ajv.errorsText(accepts.errors)}`);
        }),
        { numRuns: runs },
      );
    }
  });

  test("accepts nothing that our validators refuse", { timeout: patience }, () => {
    const values = new ValuesOf(theirs);
    for (const [name, other] of pairs(ours, theirs).pairs) {
      fc.assert(
        fc.property(values.named(other), (value) => {
          const result = validate(name as never, JSON.parse(JSON.stringify(value)));
          if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.issues)}`);
        }),
        { numRuns: runs },
      );
    }
  });
});
