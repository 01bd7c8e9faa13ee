/** Tools a client brings to a thread, and calls of them. */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum, taggedUnion } from "../define.js";

export const DynamicToolCallOutputContentItem = taggedUnion("DynamicToolCallOutputContentItem", "type", {
  inputText: {
    text: Type.String(),
  },
  inputImage: {
    imageUrl: Type.String(),
  },
  inputAudio: {
    audioUrl: Type.String(),
  },
});
export type DynamicToolCallOutputContentItem = Static<typeof DynamicToolCallOutputContentItem>;

export const DynamicToolCallParams = open("DynamicToolCallParams", {
  threadId: Type.String(),
  turnId: Type.String(),
  callId: Type.String(),
  namespace: maybe(Type.String()),
  tool: Type.String(),
  arguments: Type.Unknown(),
});
export type DynamicToolCallParams = Static<typeof DynamicToolCallParams>;

export const DynamicToolCallResponse = open("DynamicToolCallResponse", {
  contentItems: Type.Array(DynamicToolCallOutputContentItem),
  success: Type.Boolean(),
});
export type DynamicToolCallResponse = Static<typeof DynamicToolCallResponse>;

export const DynamicToolCallStatus = stringEnum("DynamicToolCallStatus", ["inProgress", "completed", "failed"]);
export type DynamicToolCallStatus = Static<typeof DynamicToolCallStatus>;

export const DynamicToolNamespaceTool = taggedUnion("DynamicToolNamespaceTool", "type", {
  function: {
    deferLoading: Type.Optional(Type.Boolean()),
    description: Type.String(),
    inputSchema: Type.Unknown(),
    name: Type.String(),
  },
});
export type DynamicToolNamespaceTool = Static<typeof DynamicToolNamespaceTool>;

export const DynamicToolSpec = taggedUnion("DynamicToolSpec", "type", {
  function: {
    deferLoading: Type.Optional(Type.Boolean()),
    description: Type.String(),
    inputSchema: Type.Unknown(),
    name: Type.String(),
  },
  namespace: {
    description: Type.String(),
    name: Type.String(),
    tools: Type.Array(DynamicToolNamespaceTool),
  },
});
export type DynamicToolSpec = Static<typeof DynamicToolSpec>;
