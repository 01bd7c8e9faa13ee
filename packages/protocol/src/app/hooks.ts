/** Hooks: configuration as listed, and their runs. */
import { type Static, Type } from "typebox";
import { maybe, open, record, stringEnum, taggedUnion } from "../define.js";
import { AbsolutePathBuf } from "./scalars.js";

export const ConfiguredHookHandler = taggedUnion("ConfiguredHookHandler", "type", {
  command: {
    command: Type.String(),
    commandWindows: maybe(Type.String()),
    timeoutSec: maybe(Type.Integer({ minimum: 0 })),
    async: Type.Boolean(),
    statusMessage: maybe(Type.String()),
    additionalContextLimit: maybe(Type.Integer({ minimum: 0 })),
  },
  mcp_tool: {
    server: Type.String(),
    tool: Type.String(),
    input: record(Type.Unknown()),
    timeoutSec: maybe(Type.Integer({ minimum: 0 })),
    statusMessage: maybe(Type.String()),
  },
  prompt: {},
  agent: {},
});
export type ConfiguredHookHandler = Static<typeof ConfiguredHookHandler>;

export const ConfiguredHookMatcherGroup = open("ConfiguredHookMatcherGroup", {
  matcher: maybe(Type.String()),
  hooks: Type.Array(ConfiguredHookHandler),
});
export type ConfiguredHookMatcherGroup = Static<typeof ConfiguredHookMatcherGroup>;

export const AppHookEventName = stringEnum("AppHookEventName", [
  "preToolUse",
  "permissionRequest",
  "postToolUse",
  "preCompact",
  "postCompact",
  "sessionStart",
  "sessionEnd",
  "userPromptSubmit",
  "subagentStart",
  "subagentStop",
  "stop",
  "interrupt",
]);
export type AppHookEventName = Static<typeof AppHookEventName>;

export const HookExecutionMode = stringEnum("HookExecutionMode", ["sync", "async"]);
export type HookExecutionMode = Static<typeof HookExecutionMode>;

export const HookHandlerType = stringEnum("HookHandlerType", ["command", "mcpTool", "prompt", "agent"]);
export type HookHandlerType = Static<typeof HookHandlerType>;

export const HookOutputEntryKind = stringEnum("HookOutputEntryKind", [
  "warning",
  "stop",
  "feedback",
  "context",
  "error",
]);
export type HookOutputEntryKind = Static<typeof HookOutputEntryKind>;

export const AppHookOutputEntry = open("AppHookOutputEntry", {
  kind: HookOutputEntryKind,
  text: Type.String(),
});
export type AppHookOutputEntry = Static<typeof AppHookOutputEntry>;

export const HookRunStatus = stringEnum("HookRunStatus", ["running", "completed", "failed", "blocked", "stopped"]);
export type HookRunStatus = Static<typeof HookRunStatus>;

export const HookScope = stringEnum("HookScope", ["thread", "turn"]);
export type HookScope = Static<typeof HookScope>;

export const AppHookSource = stringEnum("AppHookSource", [
  "system",
  "user",
  "project",
  "mdm",
  "sessionFlags",
  "plugin",
  "cloudRequirements",
  "cloudManagedConfig",
  "legacyManagedConfigFile",
  "legacyManagedConfigMdm",
  "unknown",
]);
export type AppHookSource = Static<typeof AppHookSource>;

export const AppHookRunSummary = open("AppHookRunSummary", {
  id: Type.String(),
  eventName: AppHookEventName,
  handlerType: HookHandlerType,
  executionMode: HookExecutionMode,
  scope: HookScope,
  sourcePath: AbsolutePathBuf,
  source: Type.Optional(AppHookSource),
  displayOrder: Type.Integer(),
  status: HookRunStatus,
  statusMessage: maybe(Type.String()),
  startedAt: Type.Integer(),
  completedAt: maybe(Type.Integer()),
  durationMs: maybe(Type.Integer()),
  entries: Type.Array(AppHookOutputEntry),
});
export type AppHookRunSummary = Static<typeof AppHookRunSummary>;

export const HookCompletedNotification = open("HookCompletedNotification", {
  threadId: Type.String(),
  turnId: maybe(Type.String()),
  run: AppHookRunSummary,
});
export type HookCompletedNotification = Static<typeof HookCompletedNotification>;

export const HookErrorInfo = open("HookErrorInfo", {
  path: Type.String(),
  message: Type.String(),
});
export type HookErrorInfo = Static<typeof HookErrorInfo>;

export const HookTrustStatus = stringEnum("HookTrustStatus", ["managed", "untrusted", "trusted", "modified"]);
export type HookTrustStatus = Static<typeof HookTrustStatus>;

export const HookMetadata = taggedUnion("HookMetadata", "handlerType", {
  command: {
    command: Type.String(),
    async: Type.Optional(Type.Boolean()),
    additionalContextLimit: maybe(Type.Integer({ minimum: 0 })),
    currentHash: Type.String(),
    displayOrder: Type.Integer(),
    enabled: Type.Boolean(),
    eventName: AppHookEventName,
    isManaged: Type.Boolean(),
    key: Type.String(),
    matcher: maybe(Type.String()),
    pluginId: maybe(Type.String()),
    source: AppHookSource,
    sourcePath: AbsolutePathBuf,
    statusMessage: maybe(Type.String()),
    timeoutSec: Type.Integer({ minimum: 0 }),
    trustStatus: HookTrustStatus,
  },
  mcpTool: {
    server: Type.String(),
    tool: Type.String(),
    additionalContextLimit: maybe(Type.Integer({ minimum: 0 })),
    currentHash: Type.String(),
    displayOrder: Type.Integer(),
    enabled: Type.Boolean(),
    eventName: AppHookEventName,
    isManaged: Type.Boolean(),
    key: Type.String(),
    matcher: maybe(Type.String()),
    pluginId: maybe(Type.String()),
    source: AppHookSource,
    sourcePath: AbsolutePathBuf,
    statusMessage: maybe(Type.String()),
    timeoutSec: Type.Integer({ minimum: 0 }),
    trustStatus: HookTrustStatus,
  },
  prompt: {
    additionalContextLimit: maybe(Type.Integer({ minimum: 0 })),
    currentHash: Type.String(),
    displayOrder: Type.Integer(),
    enabled: Type.Boolean(),
    eventName: AppHookEventName,
    isManaged: Type.Boolean(),
    key: Type.String(),
    matcher: maybe(Type.String()),
    pluginId: maybe(Type.String()),
    source: AppHookSource,
    sourcePath: AbsolutePathBuf,
    statusMessage: maybe(Type.String()),
    timeoutSec: Type.Integer({ minimum: 0 }),
    trustStatus: HookTrustStatus,
  },
  agent: {
    additionalContextLimit: maybe(Type.Integer({ minimum: 0 })),
    currentHash: Type.String(),
    displayOrder: Type.Integer(),
    enabled: Type.Boolean(),
    eventName: AppHookEventName,
    isManaged: Type.Boolean(),
    key: Type.String(),
    matcher: maybe(Type.String()),
    pluginId: maybe(Type.String()),
    source: AppHookSource,
    sourcePath: AbsolutePathBuf,
    statusMessage: maybe(Type.String()),
    timeoutSec: Type.Integer({ minimum: 0 }),
    trustStatus: HookTrustStatus,
  },
});
export type HookMetadata = Static<typeof HookMetadata>;

export const HookStartedNotification = open("HookStartedNotification", {
  threadId: Type.String(),
  turnId: maybe(Type.String()),
  run: AppHookRunSummary,
});
export type HookStartedNotification = Static<typeof HookStartedNotification>;

export const HooksListEntry = open("HooksListEntry", {
  cwd: Type.String(),
  hooks: Type.Array(HookMetadata),
  warnings: Type.Array(Type.String()),
  errors: Type.Array(HookErrorInfo),
});
export type HooksListEntry = Static<typeof HooksListEntry>;

export const HooksListParams = open("HooksListParams", {
  cwds: Type.Optional(Type.Array(Type.String())),
});
export type HooksListParams = Static<typeof HooksListParams>;

export const HooksListResponse = open("HooksListResponse", {
  data: Type.Array(HooksListEntry),
});
export type HooksListResponse = Static<typeof HooksListResponse>;

export const ManagedHooksRequirements = open("ManagedHooksRequirements", {
  managedDir: maybe(Type.String()),
  windowsManagedDir: maybe(Type.String()),
  PreToolUse: Type.Array(ConfiguredHookMatcherGroup),
  PermissionRequest: Type.Array(ConfiguredHookMatcherGroup),
  PostToolUse: Type.Array(ConfiguredHookMatcherGroup),
  PreCompact: Type.Array(ConfiguredHookMatcherGroup),
  PostCompact: Type.Array(ConfiguredHookMatcherGroup),
  SessionStart: Type.Array(ConfiguredHookMatcherGroup),
  SessionEnd: Type.Optional(Type.Array(ConfiguredHookMatcherGroup)),
  UserPromptSubmit: Type.Array(ConfiguredHookMatcherGroup),
  SubagentStart: Type.Array(ConfiguredHookMatcherGroup),
  SubagentStop: Type.Array(ConfiguredHookMatcherGroup),
  Stop: Type.Array(ConfiguredHookMatcherGroup),
  Interrupt: Type.Optional(Type.Array(ConfiguredHookMatcherGroup)),
});
export type ManagedHooksRequirements = Static<typeof ManagedHooksRequirements>;
