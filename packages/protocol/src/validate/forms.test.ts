import { expect, test } from "vitest";
import { examine, formatIssue, type SchemaName, validate } from "./index.js";

function said(name: SchemaName, value: unknown): string {
  const result = validate(name, value);
  return result.ok ? "ok" : result.issues.map((issue) => formatIssue(issue)).join(" | ");
}

const option = { const: "a", title: "A" };

test.each<[object, string]>([
  [{}, "type is required"],
  [{ type: 5 }, 'type must be one of "string", "array", "number", "integer", "boolean"'],
  [{ type: "video" }, 'type must be one of "string", "array", "number", "integer", "boolean"'],
  [{ enum: ["a"] }, "type is required"],
  [{ type: "array" }, "items is required"],
  [{ type: "array", items: 5 }, "items must be object"],
  [{ type: "array", items: { anyOf: [{ ...option, const: 5 }] } }, "items.anyOf[0].const must be string"],
  [{ type: "array", items: { type: "string" } }, "items must have exactly one of the members enum, anyOf"],
  [{ type: "array", items: { type: "string", enum: [5] } }, "items.enum[0] must be string"],
  [{ type: "array", items: { anyOf: [option] }, minItems: -1 }, "minItems must be >= 0"],
  [{ type: "string", default: 5 }, "default must be string or null"],
  [{ type: "string", format: "colour" }, 'format must be one of "email", "uri", "date", "date-time"'],
  [
    { type: "string", minLength: 1, colour: 1 },
    "colour is not a known member (known: type, title, description, minLength, maxLength, format, default)",
  ],
  [{ type: "string", enum: "a" }, "enum must be array"],
  [{ type: "string", enum: ["a"], enumNames: 5 }, "enumNames must be array or null"],
  [{ type: "string", enumNames: ["A"] }, "enum is required"],
  [{ type: "string", oneOf: [{ const: "a" }] }, "oneOf[0].title is required"],
  [{ type: "boolean", default: "yes" }, "default must be boolean or null"],
  [{ type: "integer", minimum: "0" }, "minimum must be number or null"],
])("of the forms of a question, the one that was meant is spoken of: %j", (value, expected) => {
  expect(said("McpElicitationPrimitiveSchema", value)).toBe(expected);
  const schema = { type: "object", properties: { answer: value } };
  expect(said("McpElicitationSchema", schema)).toBe(`properties.answer.${expected}`);
});

test("where two forms are equally near, both are named", () => {
  expect(said("McpElicitationSingleSelectEnumSchema", { type: "string" })).toBe(
    "value must have exactly one of the members enum, oneOf",
  );
});

test("a fault carries the rule and what stands there", () => {
  expect(
    examine("McpElicitationSchema", { type: "object", properties: { a: { type: "string", default: 5 } } }),
  ).toEqual({
    ok: false,
    fault: { path: "properties.a.default", value: 5, keyword: "type", params: { type: ["string", "null"] } },
  });
  expect(examine("WriteStdinArgs", {})).toEqual({
    ok: false,
    fault: { path: "session_id", value: undefined, keyword: "required", params: { missingProperty: "session_id" } },
  });
  expect(examine("WriteStdinArgs", { session_id: 1 })).toEqual({ ok: true, value: { session_id: 1 } });
});
