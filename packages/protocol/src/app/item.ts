/** Everything that can appear in a turn. Ids of live items are those of the model's calls and messages. */
import { type Static, Type } from "typebox";
import { MessagePhase } from "../agent/response-item.js";
import { ReasoningEffort } from "../agent/settings-values.js";
import { HookPromptFragment } from "../agent/turn-item.js";
import { maybe, record, taggedUnion } from "../define.js";
import { DynamicToolCallOutputContentItem, DynamicToolCallStatus } from "./dynamic-tools.js";
import {
  AgentMessageDelivery,
  AppMcpToolCallResult,
  AppWebSearchAction,
  CollabAgentState,
  CollabAgentTool,
  CollabAgentToolCallStatus,
  CommandAction,
  CommandExecutionSource,
  CommandExecutionStatus,
  FileUpdateChange,
  ImageGenerationFailure,
  McpToolCallAppContext,
  McpToolCallError,
  McpToolCallStatus,
  MemoryCitation,
  PatchApplyStatus,
  SubAgentActivityKind,
} from "./item-parts.js";
import { AbsolutePathBuf, LegacyAppPathString } from "./scalars.js";
import { AppUserInput } from "./user-input.js";

export const ThreadItem = taggedUnion("ThreadItem", "type", {
  userMessage: {
    id: Type.String(),
    clientId: maybe(Type.String()),
    content: Type.Array(AppUserInput),
  },
  hookPrompt: {
    id: Type.String(),
    fragments: Type.Array(HookPromptFragment),
  },
  agentMessage: {
    id: Type.String(),
    text: Type.String(),
    phase: maybe(MessagePhase),
    memoryCitation: maybe(MemoryCitation),
    delivery: maybe(AgentMessageDelivery),
  },
  plan: {
    id: Type.String(),
    text: Type.String(),
  },
  reasoning: {
    id: Type.String(),
    summary: Type.Optional(Type.Array(Type.String())),
    content: Type.Optional(Type.Array(Type.String())),
  },
  commandExecution: {
    id: Type.String(),
    pluginId: maybe(Type.String()),
    scriptPath: maybe(Type.String()),
    command: Type.String(),
    cwd: LegacyAppPathString,
    processId: maybe(Type.String()),
    source: Type.Optional(CommandExecutionSource),
    status: CommandExecutionStatus,
    commandActions: Type.Array(CommandAction),
    aggregatedOutput: maybe(Type.String()),
    exitCode: maybe(Type.Integer()),
    durationMs: maybe(Type.Integer()),
  },
  fileChange: {
    id: Type.String(),
    changes: Type.Array(FileUpdateChange),
    status: PatchApplyStatus,
  },
  mcpToolCall: {
    id: Type.String(),
    server: Type.String(),
    tool: Type.String(),
    status: McpToolCallStatus,
    arguments: Type.Unknown(),
    appContext: maybe(McpToolCallAppContext),
    mcpAppResourceUri: maybe(Type.String()),
    pluginId: maybe(Type.String()),
    readOnlyHint: maybe(Type.Boolean()),
    result: maybe(AppMcpToolCallResult),
    error: maybe(McpToolCallError),
    durationMs: maybe(Type.Integer()),
  },
  dynamicToolCall: {
    id: Type.String(),
    namespace: maybe(Type.String()),
    tool: Type.String(),
    arguments: Type.Unknown(),
    status: DynamicToolCallStatus,
    contentItems: maybe(Type.Array(DynamicToolCallOutputContentItem)),
    success: maybe(Type.Boolean()),
    durationMs: maybe(Type.Integer()),
  },
  collabAgentToolCall: {
    id: Type.String(),
    tool: CollabAgentTool,
    status: CollabAgentToolCallStatus,
    senderThreadId: Type.String(),
    receiverThreadIds: Type.Array(Type.String()),
    prompt: maybe(Type.String()),
    model: maybe(Type.String()),
    reasoningEffort: maybe(ReasoningEffort),
    agentsStates: record(CollabAgentState),
  },
  subAgentActivity: {
    id: Type.String(),
    kind: SubAgentActivityKind,
    agentThreadId: Type.String(),
    agentPath: Type.String(),
  },
  webSearch: {
    action: maybe(AppWebSearchAction),
    id: Type.String(),
    query: Type.String(),
    results: maybe(Type.Array(Type.Unknown())),
  },
  imageView: {
    id: Type.String(),
    path: LegacyAppPathString,
  },
  sleep: {
    durationMs: Type.Integer({ minimum: 0 }),
    id: Type.String(),
  },
  imageGeneration: {
    failure: maybe(ImageGenerationFailure),
    id: Type.String(),
    result: Type.String(),
    revisedPrompt: maybe(Type.String()),
    savedPath: maybe(AbsolutePathBuf),
    status: Type.String(),
    transparentBackground: maybe(Type.Boolean()),
  },
  enteredReviewMode: {
    id: Type.String(),
    review: Type.String(),
  },
  exitedReviewMode: {
    id: Type.String(),
    review: Type.String(),
  },
  contextCompaction: {
    id: Type.String(),
  },
});
export type ThreadItem = Static<typeof ThreadItem>;
