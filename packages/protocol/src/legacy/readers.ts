/** Readers: upgrade, then validate. Each takes anything and never throws. */
import type { SchemaTypes } from "../schema-types.js";
import { upgradeEvent, upgradeRequestUserInputEvent } from "./event.js";
import { upgradeCollaborationMode } from "./modes.js";
import { isObject, type ReadResult, readAs } from "./read-result.js";
import { upgradeResponseItem } from "./response-item.js";
import { upgradeRolloutLine } from "./rollout-line.js";
import { upgradeSessionMeta } from "./session-meta.js";
import { upgradeSandboxPolicy, upgradeThreadSettings, upgradeTurnContext } from "./settings.js";

export function readRolloutLine(value: unknown): ReadResult<SchemaTypes["RolloutLine"]> {
  return readAs("RolloutLine", value, upgradeRolloutLine);
}

export function readSessionMeta(value: unknown): ReadResult<SchemaTypes["SessionMeta"]> {
  return readAs("SessionMeta", value, upgradeSessionMeta);
}

export function readTurnContext(value: unknown): ReadResult<SchemaTypes["TurnContextItem"]> {
  return readAs("TurnContextItem", value, upgradeTurnContext);
}

export function readEventMsg(value: unknown): ReadResult<SchemaTypes["EventMsg"]> {
  return readAs("EventMsg", value, upgradeEvent);
}

export function readResponseItem(value: unknown): ReadResult<SchemaTypes["ResponseItem"]> {
  return readAs("ResponseItem", value, upgradeResponseItem);
}

export function readRequestUserInputEvent(value: unknown): ReadResult<SchemaTypes["RequestUserInputEvent"]> {
  return readAs("RequestUserInputEvent", value, upgradeRequestUserInputEvent);
}

export function readThreadSettings(value: unknown): ReadResult<SchemaTypes["ThreadSettings"]> {
  return readAs("ThreadSettings", value, upgradeThreadSettings);
}

export function readSandboxPolicy(value: unknown): ReadResult<SchemaTypes["SandboxPolicy"]> {
  return readAs("SandboxPolicy", value, (policy, note) => upgradeSandboxPolicy(policy, note) as typeof policy);
}

export function readCollaborationMode(value: unknown): ReadResult<SchemaTypes["CollaborationMode"]> {
  return readAs("CollaborationMode", value, (mode, note) => upgradeCollaborationMode(mode, note) as typeof mode);
}

/** Elements have always been optional on the wire; readers see them. */
export function readUserInput(value: unknown): ReadResult<SchemaTypes["UserInput"]> {
  return readAs("UserInput", value, (input, note) => {
    if (isObject(input) && input.type === "text" && input.text_elements === undefined) {
      note("missing text_elements");
      return { ...input, text_elements: [] };
    }
    return input;
  });
}
