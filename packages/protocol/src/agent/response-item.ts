/** What the model is sent and what it answers: items of the Responses API as history and rollouts keep them. */
import { type Static, Type } from "typebox";
import { anyOf, maybe, named, open, record, stringEnum, taggedUnion } from "../define.js";

export const AgentMessageInputContent = taggedUnion("AgentMessageInputContent", "type", {
  input_text: {
    text: Type.String(),
  },
  encrypted_content: {
    encrypted_content: Type.String(),
  },
});
export type AgentMessageInputContent = Static<typeof AgentMessageInputContent>;

export const ImageDetail = stringEnum("ImageDetail", ["auto", "low", "high", "original"]);
export type ImageDetail = Static<typeof ImageDetail>;

export const ContentItem = taggedUnion("ContentItem", "type", {
  input_text: {
    text: Type.String(),
  },
  input_image: {
    image_url: Type.String(),
    detail: maybe(ImageDetail),
  },
  input_audio: {
    audio_url: Type.String(),
  },
  output_text: {
    text: Type.String(),
  },
});
export type ContentItem = Static<typeof ContentItem>;

export const FunctionCallOutputContentItem = taggedUnion("FunctionCallOutputContentItem", "type", {
  input_text: {
    text: Type.String(),
  },
  input_image: {
    image_url: Type.String(),
    detail: maybe(ImageDetail),
  },
  input_audio: {
    audio_url: Type.String(),
  },
  encrypted_content: {
    encrypted_content: Type.String(),
  },
});
export type FunctionCallOutputContentItem = Static<typeof FunctionCallOutputContentItem>;

export const FunctionCallOutputBody = named(
  "FunctionCallOutputBody",
  anyOf([Type.String(), Type.Array(FunctionCallOutputContentItem)]),
);
export type FunctionCallOutputBody = Static<typeof FunctionCallOutputBody>;

export const InternalChatMessageMetadataPassthrough = open("InternalChatMessageMetadataPassthrough", {
  turn_id: maybe(Type.String()),
});
export type InternalChatMessageMetadataPassthrough = Static<typeof InternalChatMessageMetadataPassthrough>;

export const LocalShellAction = taggedUnion("LocalShellAction", "type", {
  exec: {
    command: Type.Array(Type.String()),
    env: maybe(record(Type.String())),
    timeout_ms: maybe(Type.Integer({ minimum: 0 })),
    user: maybe(Type.String()),
    working_directory: maybe(Type.String()),
  },
});
export type LocalShellAction = Static<typeof LocalShellAction>;

export const LocalShellStatus = stringEnum("LocalShellStatus", ["completed", "in_progress", "incomplete"]);
export type LocalShellStatus = Static<typeof LocalShellStatus>;

export const MessagePhase = stringEnum("MessagePhase", ["commentary", "final_answer"]);
export type MessagePhase = Static<typeof MessagePhase>;

export const ReasoningItemContent = taggedUnion("ReasoningItemContent", "type", {
  reasoning_text: {
    text: Type.String(),
  },
  text: {
    text: Type.String(),
  },
});
export type ReasoningItemContent = Static<typeof ReasoningItemContent>;

export const ReasoningItemReasoningSummary = taggedUnion("ReasoningItemReasoningSummary", "type", {
  summary_text: {
    text: Type.String(),
  },
});
export type ReasoningItemReasoningSummary = Static<typeof ReasoningItemReasoningSummary>;

export const ResponsesApiWebSearchAction = taggedUnion("ResponsesApiWebSearchAction", "type", {
  search: {
    queries: maybe(Type.Array(Type.String())),
    query: maybe(Type.String()),
  },
  open_page: {
    url: maybe(Type.String()),
  },
  find_in_page: {
    pattern: maybe(Type.String()),
    url: maybe(Type.String()),
  },
  other: {},
});
export type ResponsesApiWebSearchAction = Static<typeof ResponsesApiWebSearchAction>;

export const ResponseItem = taggedUnion("ResponseItem", "type", {
  message: {
    id: maybe(Type.String()),
    role: Type.String(),
    content: Type.Array(ContentItem),
    phase: maybe(MessagePhase),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  agent_message: {
    id: maybe(Type.String()),
    author: Type.String(),
    recipient: Type.String(),
    content: Type.Array(AgentMessageInputContent),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  reasoning: {
    id: maybe(Type.String()),
    summary: Type.Array(ReasoningItemReasoningSummary),
    content: maybe(Type.Array(ReasoningItemContent)),
    encrypted_content: maybe(Type.String()),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  local_shell_call: {
    id: maybe(Type.String()),
    call_id: maybe(Type.String()),
    status: LocalShellStatus,
    action: LocalShellAction,
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  function_call: {
    id: maybe(Type.String()),
    name: Type.String(),
    namespace: maybe(Type.String()),
    arguments: Type.String(),
    encrypted_function_args: maybe(Type.Array(Type.String())),
    call_id: Type.String(),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  tool_search_call: {
    id: maybe(Type.String()),
    call_id: maybe(Type.String()),
    status: maybe(Type.String()),
    execution: Type.String(),
    arguments: Type.Unknown(),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  function_call_output: {
    id: maybe(Type.String()),
    call_id: maybe(Type.String()),
    name: maybe(Type.String()),
    namespace: maybe(Type.String()),
    output: FunctionCallOutputBody,
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  custom_tool_call: {
    id: maybe(Type.String()),
    status: maybe(Type.String()),
    call_id: Type.String(),
    name: Type.String(),
    namespace: maybe(Type.String()),
    input: Type.String(),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  custom_tool_call_output: {
    id: maybe(Type.String()),
    call_id: Type.String(),
    name: maybe(Type.String()),
    output: FunctionCallOutputBody,
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  tool_search_output: {
    id: maybe(Type.String()),
    call_id: maybe(Type.String()),
    status: Type.String(),
    execution: Type.String(),
    tools: Type.Array(Type.Unknown()),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  web_search_call: {
    id: maybe(Type.String()),
    status: maybe(Type.String()),
    action: maybe(ResponsesApiWebSearchAction),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  image_generation_call: {
    id: maybe(Type.String()),
    status: Type.String(),
    revised_prompt: maybe(Type.String()),
    result: Type.String(),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  compaction: {
    id: maybe(Type.String()),
    encrypted_content: Type.String(),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  /** Tools handed to the model in the conversation itself; written by newer versions. */
  additional_tools: {
    id: maybe(Type.String()),
    role: Type.String(),
    tools: Type.Array(Type.Unknown()),
  },
  /** A change of the model's configuration in the middle of a conversation; written by newer versions. */
  configuration_update: {
    id: maybe(Type.String()),
    reasoning: Type.Optional(Type.Unknown()),
  },
  compaction_trigger: {},
  context_compaction: {
    id: maybe(Type.String()),
    encrypted_content: maybe(Type.String()),
    internal_chat_message_metadata_passthrough: maybe(InternalChatMessageMetadataPassthrough),
  },
  other: {},
});
export type ResponseItem = Static<typeof ResponseItem>;
