/** Items of a turn as the core emits them and paginated rollouts keep them: PascalCase tags, snake_case members. */
import { type Static, Type } from "typebox";
import { maybe, open, record, shape, taggedUnion } from "../define.js";
import { Duration, ExecCommandSource, ExecCommandStatus, ParsedCommand } from "./command.js";
import { FileChange, FileChangeStatus } from "./file-change.js";
import { MessagePhase } from "./response-item.js";
import { UserInput } from "./user-input.js";

/** The tag is capitalised, unlike that of every other content part. */
export const AgentMessageContent = taggedUnion("AgentMessageContent", "type", { Text: { text: Type.String() } });
export type AgentMessageContent = Static<typeof AgentMessageContent>;

export const HookPromptFragment = open("HookPromptFragment", { text: Type.String(), hookRunId: Type.String() });
export type HookPromptFragment = Static<typeof HookPromptFragment>;

const toolStatus = Type.String();

export const TurnItem = taggedUnion("TurnItem", "type", {
  UserMessage: { id: Type.String(), client_id: maybe(Type.String()), content: Type.Array(UserInput) },
  HookPrompt: { id: Type.String(), fragments: Type.Array(HookPromptFragment) },
  AgentMessage: {
    id: Type.String(),
    content: Type.Array(AgentMessageContent),
    phase: maybe(MessagePhase),
    memory_citation: Type.Optional(Type.Unknown()),
    delivery: maybe(Type.String()),
    questions: maybe(Type.Array(Type.Unknown())),
  },
  Plan: { id: Type.String(), text: Type.String() },
  Reasoning: {
    id: Type.String(),
    summary_text: Type.Array(Type.String()),
    raw_content: Type.Optional(Type.Array(Type.String())),
  },
  CommandExecution: {
    id: Type.String(),
    plugin_id: maybe(Type.String()),
    script_path: maybe(Type.String()),
    process_id: maybe(Type.String()),
    command: Type.Array(Type.String()),
    cwd: Type.String(),
    parsed_cmd: Type.Array(ParsedCommand),
    source: Type.Optional(ExecCommandSource),
    interaction_input: maybe(Type.String()),
    status: ExecCommandStatus,
    stdout: maybe(Type.String()),
    stderr: maybe(Type.String()),
    aggregated_output: maybe(Type.String()),
    exit_code: maybe(Type.Integer()),
    duration: maybe(Duration),
    formatted_output: maybe(Type.String()),
  },
  FileChange: {
    id: Type.String(),
    changes: record(FileChange),
    status: maybe(FileChangeStatus),
    auto_approved: maybe(Type.Boolean()),
    stdout: maybe(Type.String()),
    stderr: maybe(Type.String()),
  },
  McpToolCall: {
    id: Type.String(),
    server: Type.String(),
    tool: Type.String(),
    arguments: Type.Optional(Type.Unknown()),
    /** What the server says of the tool. */
    read_only_hint: maybe(Type.Boolean()),
    plugin_id: maybe(Type.String()),
    status: toolStatus,
    result: Type.Optional(Type.Unknown()),
    error: maybe(shape({ message: Type.String() })),
    duration: maybe(Duration),
  },
  DynamicToolCall: {
    id: Type.String(),
    namespace: maybe(Type.String()),
    tool: Type.String(),
    arguments: Type.Optional(Type.Unknown()),
    status: toolStatus,
    content_items: maybe(Type.Array(Type.Unknown())),
    success: maybe(Type.Boolean()),
    error: maybe(Type.String()),
    duration: maybe(Duration),
  },
  CollabAgentToolCall: {
    id: Type.String(),
    tool: Type.String(),
    status: toolStatus,
    sender_thread_id: Type.String(),
    receiver_thread_ids: Type.Optional(Type.Array(Type.String())),
    receiver_agents: Type.Optional(Type.Array(Type.Unknown())),
    prompt: maybe(Type.String()),
    model: maybe(Type.String()),
    reasoning_effort: maybe(Type.String()),
    agents_states: Type.Optional(Type.Unknown()),
  },
  SubAgentActivity: {
    id: Type.String(),
    kind: Type.String(),
    agent_thread_id: Type.String(),
    agent_path: Type.String(),
  },
  WebSearch: { id: Type.String(), query: Type.String(), action: Type.Optional(Type.Unknown()) },
  ImageView: { id: Type.String(), path: Type.String() },
  ImageGeneration: {
    id: Type.String(),
    status: Type.String(),
    revised_prompt: maybe(Type.String()),
    result: Type.String(),
    saved_path: maybe(Type.String()),
  },
  EnteredReviewMode: {
    id: Type.String(),
    target: Type.Optional(Type.Unknown()),
    user_facing_hint: maybe(Type.String()),
    review: Type.Optional(Type.String()),
  },
  ExitedReviewMode: {
    id: Type.String(),
    review_output: Type.Optional(Type.Unknown()),
    review: Type.Optional(Type.String()),
  },
  ContextCompaction: { id: Type.String() },
  Extension: { id: Type.String(), kind: Type.String(), durationMs: maybe(Type.Integer()) },
});
export type TurnItem = Static<typeof TurnItem>;
