/** The JSON a command hook writes. Closed: a member that means nothing is a mistake worth hearing about. */
import { type Static, Type } from "typebox";
import { closed, closedTaggedUnion, literals, maybe } from "../define.js";

const text = maybe(Type.String());
const anything = Type.Optional(Type.Unknown());

/** What only one event's hooks may say. Events that are not here take nothing of the kind. */
export const HookSpecificOutput = closedTaggedUnion("HookSpecificOutput", "hookEventName", {
  PreToolUse: {
    additionalContext: text,
    permissionDecision: anything,
    permissionDecisionReason: text,
    updatedInput: anything,
  },
  PostToolUse: { additionalContext: text, updatedMCPToolOutput: anything },
  PermissionRequest: { decision: anything },
  UserPromptSubmit: { additionalContext: text },
  SessionStart: { additionalContext: text },
  SubagentStart: { additionalContext: text },
});
export type HookSpecificOutput = Static<typeof HookSpecificOutput>;

export const HookOutput = closed("HookOutput", {
  continue: Type.Optional(Type.Boolean()),
  stopReason: text,
  suppressOutput: Type.Optional(Type.Boolean()),
  systemMessage: text,
  decision: maybe(literals(["block", "approve"])),
  reason: text,
  hookSpecificOutput: maybe(HookSpecificOutput),
});
export type HookOutput = Static<typeof HookOutput>;
