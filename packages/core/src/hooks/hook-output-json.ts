/** The JSON a hook writes, read strictly: unknown members and combinations that mean nothing are refused. Pure. */
import { validators } from "@turnkit/protocol/validate";
import type { HookEvent } from "./hook-event.js";

export interface JsonOutput {
  readonly continue: boolean;
  readonly stopReason: string | undefined;
  readonly systemMessage: string | undefined;
  readonly reason: string | undefined;
  /** Set exactly when the output blocks. */
  readonly blockReason: string | undefined;
  readonly additionalContext: string | undefined;
  readonly updatedInput: { readonly value: unknown } | undefined;
  readonly permission: "allow" | "deny" | undefined;
  /** Nothing but a message to the person was given. */
  readonly onlySystemMessage: boolean;
}

/** The output is well formed and asks for something that does not exist. `message` is shown. */
export class Unusable extends Error {}

type Table = { readonly [key: string]: unknown };

/** undefined: not what the event's output looks like. @throws {Unusable} */
export function parseJsonOutput(event: HookEvent, text: string): JsonOutput | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!validators.HookOutput(value)) return undefined;
  const specific: Table | undefined = value.hookSpecificOutput ?? undefined;
  if (specific !== undefined && specific.hookEventName !== event.configName) return undefined;
  refuseUnsupported(event, value, specific);
  const output: JsonOutput = {
    continue: value.continue !== false,
    stopReason: textOf(value.stopReason),
    systemMessage: textOf(value.systemMessage),
    reason: textOf(value.reason),
    blockReason: undefined,
    additionalContext: textOf(specific?.additionalContext),
    updatedInput: undefined,
    permission: undefined,
    onlySystemMessage: Object.keys(value).every((key) => key === "systemMessage"),
  };
  if (event.configName === "PreToolUse") return { ...output, ...preToolUse(value, specific) };
  if (event.configName === "PermissionRequest") return { ...output, ...permissionRequest(specific) };
  if (value.decision !== "block") {
    if (event.configName === "PostToolUse" && value.reason !== undefined && value.continue !== false)
      throw new Unusable("PostToolUse hook returned reason without decision");
    return output;
  }
  if (!output.continue) return output;
  return { ...output, blockReason: nonEmptyReason(event, value.reason) };
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An absent text, and null, are nothing; so is a blank one. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function refuseUnsupported(event: HookEvent, value: Table, specific: Table | undefined): void {
  const name = event.configName;
  const decides = name === "PreToolUse" || name === "PermissionRequest";
  if (decides && value.continue === false) throw new Unusable(`${name} hook returned unsupported continue:false`);
  if (decides && value.stopReason != null) throw new Unusable(`${name} hook returned unsupported stopReason`);
  if ((decides || name === "PostToolUse") && value.suppressOutput === true)
    throw new Unusable(`${name} hook returned unsupported suppressOutput`);
  if (specific?.updatedMCPToolOutput !== undefined)
    throw new Unusable("PostToolUse hook returned unsupported updatedMCPToolOutput");
}

function nonEmptyReason(event: HookEvent, reason: unknown): string {
  const text = textOf(reason);
  if (text === undefined)
    throw new Unusable(`${event.configName} hook returned decision:block without a non-empty reason`);
  return text.trim();
}

function preToolUse(value: Table, specific: Table | undefined): Partial<JsonOutput> {
  const decision = specific?.permissionDecision;
  const rewrite = specific !== undefined && specific.updatedInput !== undefined && specific.updatedInput !== null;
  if (rewrite && decision !== "allow")
    throw new Unusable("PreToolUse hook returned updatedInput without permissionDecision:allow");
  if (decision === "deny") {
    const reason = textOf(specific?.permissionDecisionReason);
    if (reason === undefined)
      throw new Unusable(
        "PreToolUse hook returned permissionDecision:deny without a non-empty permissionDecisionReason",
      );
    return { blockReason: reason.trim() };
  }
  if (decision === "ask") throw new Unusable("PreToolUse hook returned unsupported permissionDecision:ask");
  if (decision === "allow") {
    if (!rewrite) throw new Unusable("PreToolUse hook returned unsupported permissionDecision:allow");
    return { updatedInput: { value: specific?.updatedInput } };
  }
  if (specific?.permissionDecisionReason != null)
    throw new Unusable("PreToolUse hook returned permissionDecisionReason without permissionDecision");
  if (value.decision === "approve") throw new Unusable("PreToolUse hook returned unsupported decision:approve");
  if (value.decision === "block") {
    const reason = textOf(value.reason);
    if (reason === undefined) throw new Unusable("PreToolUse hook returned decision:block without a non-empty reason");
    return { blockReason: reason.trim() };
  }
  if (value.reason != null) throw new Unusable("PreToolUse hook returned reason without decision");
  return {};
}

function permissionRequest(specific: Table | undefined): Partial<JsonOutput> {
  const decision = specific?.decision;
  if (!isTable(decision)) return {};
  for (const key of ["updatedInput", "updatedPermissions"])
    if (decision[key] != null) throw new Unusable(`PermissionRequest hook returned unsupported ${key}`);
  if (decision.interrupt === true) throw new Unusable("PermissionRequest hook returned unsupported interrupt:true");
  if (decision.behavior === "allow") return { permission: "allow" };
  if (decision.behavior === "deny")
    return { permission: "deny", blockReason: textOf(decision.message) ?? "PermissionRequest hook denied approval" };
  return {};
}
