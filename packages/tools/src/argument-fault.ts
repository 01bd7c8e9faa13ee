/**
 * What a model is told of arguments that its tool does not take, in the reference's words for missing fields and wrong
 * types, with the place. Owns the words; what is wrong is judged by the schema of the arguments.
 */
import type { Fault } from "@turnkit/protocol/validate";

/** What kinds of values are called where one was expected. Integers have names of their own: see `faultText`. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  boolean: "a boolean",
  array: "a sequence",
  object: "an object",
};

function found(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "number")
    return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
  return Array.isArray(value) ? "sequence" : "map";
}

/** A member that may be null is called by its other type. */
function typeOf({ params }: Fault): string {
  const types = [params.type].flat() as string[];
  return types.find((type) => type !== "null") ?? "null";
}

function variants(values: unknown): string {
  return (values as readonly unknown[]).map((value) => `\`${String(value)}\``).join(", ");
}

function words(fault: Fault, integer: string): string {
  const { keyword, params, value } = fault;
  switch (keyword) {
    case "required":
      return `missing field \`${String(params.missingProperty)}\``;
    case "type":
      return `invalid type: ${found(value)}, expected ${EXPECTED[typeOf(fault)] ?? integer}`;
    case "enum":
      return `unknown variant \`${String(value)}\`, expected one of ${variants(params.allowedValues)}`;
    case "additionalProperties":
      return `unknown field \`${String(params.additionalProperty)}\``;
    default:
      return `invalid value: ${found(value)}, expected ${integer}`;
  }
}

/** @param integer what an integer is called that stands at the fault's place: `u64` */
export function faultText(fault: Fault, integer: string): string {
  const text = words(fault, integer);
  return fault.path === "" ? text : `${text} at ${fault.path}`;
}
