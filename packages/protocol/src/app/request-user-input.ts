/** Questions put to the person: the server request and its answer. */
import { type Static, Type } from "typebox";
import { maybe, open, record } from "../define.js";

export const ToolRequestUserInputAnswer = open("ToolRequestUserInputAnswer", {
  answers: Type.Array(Type.String()),
});
export type ToolRequestUserInputAnswer = Static<typeof ToolRequestUserInputAnswer>;

export const ToolRequestUserInputOption = open("ToolRequestUserInputOption", {
  label: Type.String(),
  description: Type.String(),
});
export type ToolRequestUserInputOption = Static<typeof ToolRequestUserInputOption>;

export const ToolRequestUserInputQuestion = open("ToolRequestUserInputQuestion", {
  id: Type.String(),
  header: Type.String(),
  question: Type.String(),
  isOther: Type.Optional(Type.Boolean()),
  isSecret: Type.Optional(Type.Boolean()),
  options: maybe(Type.Array(ToolRequestUserInputOption)),
});
export type ToolRequestUserInputQuestion = Static<typeof ToolRequestUserInputQuestion>;

export const ToolRequestUserInputParams = open("ToolRequestUserInputParams", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  questions: Type.Array(ToolRequestUserInputQuestion),
  isBlocking: Type.Boolean(),
  autoResolutionMs: maybe(Type.Integer({ minimum: 0 })),
});
export type ToolRequestUserInputParams = Static<typeof ToolRequestUserInputParams>;

export const ToolRequestUserInputResponse = open("ToolRequestUserInputResponse", {
  answers: record(ToolRequestUserInputAnswer),
});
export type ToolRequestUserInputResponse = Static<typeof ToolRequestUserInputResponse>;
