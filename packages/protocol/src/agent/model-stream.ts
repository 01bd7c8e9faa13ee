/**
 * Events of a streamed model response, as far as they are acted on. Servers may send others, and more members.
 * Items are left open here: each is read as a `ResponseItem` by itself, so that a new kind ends no turn.
 */
import { type Static, Type } from "typebox";
import { anyObject, maybe, open, taggedUnion } from "../define.js";

const index = Type.Integer({ minimum: 0 });

export const ModelStreamResponse = open("ModelStreamResponse", {
  id: maybe(Type.String()),
  /** What a server says of the tokens is read leniently. */
  usage: Type.Optional(Type.Unknown()),
  end_turn: Type.Optional(Type.Unknown()),
});
export type ModelStreamResponse = Static<typeof ModelStreamResponse>;

export const ModelStreamEvent = taggedUnion("ModelStreamEvent", "type", {
  "response.created": {},
  "response.output_item.added": { item: anyObject() },
  "response.output_item.done": { item: anyObject() },
  "response.output_text.delta": { item_id: Type.String(), delta: Type.String() },
  "response.reasoning_summary_part.added": { item_id: Type.String(), summary_index: index },
  "response.reasoning_summary_text.delta": { item_id: Type.String(), summary_index: index, delta: Type.String() },
  "response.reasoning_text.delta": { item_id: Type.String(), content_index: index, delta: Type.String() },
  "response.completed": { response: ModelStreamResponse },
  "response.failed": { response: Type.Optional(Type.Unknown()) },
  "response.incomplete": { response: Type.Optional(Type.Unknown()) },
  error: { error: Type.Optional(Type.Unknown()) },
});
export type ModelStreamEvent = Static<typeof ModelStreamEvent>;
