/** Which of our schemas is which of the reference's, and why the others have none. */
import * as exec from "../../src/exec/schemas.js";
import type { SchemaSource } from "../json-schema/schema-source.js";

/** Schemas whose names differ by more than the `App` that keeps the app's types apart from the agent's. */
const renamed: Readonly<Record<string, string>> = {
  CollaborationModeSettings: "Settings",
  McpResource: "Resource",
  McpResourceTemplate: "ResourceTemplate",
  McpTool: "Tool",
  RpcErrorObject: "JSONRPCErrorError",
  RpcErrorResponse: "JSONRPCError",
  RpcMessage: "JSONRPCMessage",
  RpcNotification: "JSONRPCNotification",
  RpcRequest: "JSONRPCRequest",
  RpcResponse: "JSONRPCResponse",
};

/** Reasons why the reference publishes no schema of ours that is not in this list's way. */
export const unpublished: Readonly<Record<string, readonly string[]>> = {
  "files that this program reads, which cross no app-server": [
    "ConfigEnvironmentPolicy",
    "ConfigFile",
    "ConfigMcpServer",
    "ConfigMcpTool",
    "ConfigModel",
    "ConfigModelCatalog",
    "ConfigProvider",
    "HookGroup",
    "HookHandler",
    "HooksFile",
    "HooksTable",
    "McpCredentialsEntry",
    "McpCredentialsFile",
    "ScriptCondition",
    "ScriptEntry",
    "ScriptFailure",
    "ScriptFile",
    "ScriptItem",
    "ScriptMatch",
    "ScriptUsage",
  ],
  "what models, their servers and hooks send, which crosses no app-server": [
    "ExecCommandArgs",
    "HookOutput",
    "HookSpecificOutput",
    "ModelStreamEvent",
    "ModelStreamResponse",
    "ViewImageArgs",
    "WriteStdinArgs",
  ],
  "the agent's own spelling (snake_case), which is in files and not on the app-server's wire": [
    "AgentMessageContent",
    "BaseInstructions",
    "CodexErrorInfo",
    "CompactedItem",
    "ContextWindowInfo",
    "Duration",
    "ErrorEvent",
    "Event",
    "EventMsg",
    "ExecCommandSource",
    "ExecCommandStatus",
    "FileChangeStatus",
    "GitInfo",
    "HistoryBase",
    "HookEventName",
    "HookOutputEntry",
    "HookOutputKind",
    "HookRunState",
    "HookRunSummary",
    "InterAgentCommunication",
    "McpInvocation",
    "McpStartupStatus",
    "Op",
    "PlanItem",
    "PlanStepStatus",
    "RateLimitSnapshot",
    "RateLimitWindow",
    "RequestUserInputAnswer",
    "RequestPermissionsArgs",
    "RequestUserInputArgs",
    "RequestUserInputEvent",
    "RequestUserInputQuestion",
    "RequestUserInputQuestionOption",
    "RequestUserInputResponse",
    "RolloutLine",
    "SandboxPolicy",
    "SessionMeta",
    "SessionSource",
    "SubAgentSource",
    "TextElement",
    "ThreadSettings",
    "ThreadSettingsOverrides",
    "TokenUsage",
    "TokenUsageInfo",
    "ToolFileSystemPermissions",
    "ToolNetworkPermissions",
    "ToolPermissions",
    "TurnAbortReason",
    "TurnContextItem",
    "TurnInput",
    "TurnItem",
    "UpdatePlanArgs",
    "UserInput",
    "UserInputList",
  ],
  "a form of this package's own": [
    "AdditionalContext",
    "NoParams",
    "NotSubmittedReason",
    "TurnInputMode",
    "TurnInputRequest",
    "TurnInputSubmission",
    "TurnStartOptions",
  ],
};

/** The reference's name of one of our schemas; undefined where the reference publishes none. */
export function referenceName(name: string, ours: SchemaSource, theirs: SchemaSource): string | undefined {
  // The exec-server's protocol is not in the reference's document; the one name they share means two things.
  if (Object.hasOwn(exec, name)) return undefined;
  const other = renamed[name];
  if (other !== undefined) return other;
  const known = new Set(theirs.names());
  const plain = /^App[A-Z]/.test(name) ? name.slice(3) : undefined;
  if (plain !== undefined && known.has(plain) && !known.has(name)) return plain;
  return known.has(name) && !ours.names().includes(`App${name}`) ? name : undefined;
}

/** All pairs of names, and our names that have no partner (those of the exec-server are not counted). */
export function pairs(ours: SchemaSource, theirs: SchemaSource): { pairs: [string, string][]; alone: string[] } {
  const found: [string, string][] = [];
  const alone: string[] = [];
  for (const name of ours.names()) {
    const other = referenceName(name, ours, theirs);
    if (other !== undefined) found.push([name, other]);
    else if (!Object.hasOwn(exec, name)) alone.push(name);
  }
  return { pairs: found, alone };
}
