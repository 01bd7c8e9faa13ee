/**
 * Questions the agent puts to the person. The event mixes spellings on purpose: `call_id` and `turn_id` with
 * `isBlocking` and `autoResolutionMs`, as it is on the wire.
 */
import { type Static, Type } from "typebox";
import { maybe, open, record } from "../define.js";

export const RequestUserInputQuestionOption = open("RequestUserInputQuestionOption", {
  label: Type.String(),
  description: Type.String(),
});
export type RequestUserInputQuestionOption = Static<typeof RequestUserInputQuestionOption>;

export const RequestUserInputQuestion = open("RequestUserInputQuestion", {
  id: Type.String(),
  header: Type.String(),
  question: Type.String(),
  isOther: Type.Optional(Type.Boolean()),
  isSecret: Type.Optional(Type.Boolean()),
  options: maybe(Type.Array(RequestUserInputQuestionOption)),
});
export type RequestUserInputQuestion = Static<typeof RequestUserInputQuestion>;

/** The tool's arguments as the model sends them. */
export const RequestUserInputArgs = open("RequestUserInputArgs", {
  questions: Type.Array(RequestUserInputQuestion),
});
export type RequestUserInputArgs = Static<typeof RequestUserInputArgs>;

export const RequestUserInputAnswer = open("RequestUserInputAnswer", { answers: Type.Array(Type.String()) });
export type RequestUserInputAnswer = Static<typeof RequestUserInputAnswer>;

/** Answers by question id. */
export const RequestUserInputResponse = open("RequestUserInputResponse", {
  answers: record(RequestUserInputAnswer),
});
export type RequestUserInputResponse = Static<typeof RequestUserInputResponse>;

export const requestUserInputEventMembers = {
  call_id: Type.String(),
  turn_id: Type.String(),
  questions: Type.Array(RequestUserInputQuestion),
  isBlocking: Type.Boolean(),
  /** Deprecated: read, never acted on, written as null. */
  autoResolutionMs: maybe(Type.Integer({ minimum: 0 })),
};

export const RequestUserInputEvent = open("RequestUserInputEvent", requestUserInputEventMembers);
export type RequestUserInputEvent = Static<typeof RequestUserInputEvent>;
