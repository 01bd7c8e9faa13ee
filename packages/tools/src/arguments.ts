/**
 * Reading the JSON arguments of a function call. Unknown members are ignored; every other departure from the schema of
 * the arguments is one error that names the place. Owns no rule of any tool: those are in the protocol's schemas.
 */
import { examine, type SchemaName, type SchemaTypes } from "@turnkit/protocol/validate";
import { faultText } from "./argument-fault.js";
import { type PreToolUsePayload, RespondToModel, type ToolCall } from "./tool.js";

const PREFIX = "failed to parse function arguments: ";

/**
 * @param integers what integers are called in errors, by their place, where it is not `u64`
 * @throws {RespondToModel} the text is not JSON, or not what the schema says
 */
export function parseArguments<Name extends SchemaName>(
  schema: Name,
  text: string,
  integers: Readonly<Record<string, string>> = {},
): SchemaTypes[Name] {
  const examined = examine(schema, parseJson(text));
  if (examined.ok) return examined.value;
  const { fault } = examined;
  throw new RespondToModel(`${PREFIX}${faultText(fault, integers[fault.path] ?? "u64")}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const what = text.trim() === "" ? "EOF while parsing a value" : `not JSON: ${(error as Error).message}`;
    throw new RespondToModel(`${PREFIX}${what}`);
  }
}

/** The default way in which a function call is shown to hooks: its arguments as JSON, or as they are. */
export function functionHookPayload(call: ToolCall): PreToolUsePayload | undefined {
  if (call.payload.kind !== "function") return undefined;
  return { toolName: call.name, toolUseId: call.callId, toolInput: hookInput(call.payload.arguments) };
}

export function hookInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The default way in which a hook's rewritten input becomes a call: it replaces all arguments. */
export function withFunctionArguments(call: ToolCall, updatedInput: unknown): ToolCall {
  return { ...call, payload: { kind: "function", arguments: JSON.stringify(updatedInput) } };
}
