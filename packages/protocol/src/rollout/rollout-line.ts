/** One line of a rollout: an envelope around what happened. Types of newer versions are carried opaquely by readers. */
import { type Static, Type } from "typebox";
import { EventMsg } from "../agent/event.js";
import { ResponseItem } from "../agent/response-item.js";
import { InterAgentCommunication } from "../agent/turn-input.js";
import { maybe, open, record, shape, taggedUnion } from "../define.js";
import { SessionMeta } from "./session-meta.js";
import { TurnContextItem } from "./turn-context.js";

/** A compaction: `replacement_history` is what the model sees from then on; without it, see `rebuildModelInput`. */
export const CompactedItem = open("CompactedItem", {
  message: Type.String(),
  replacement_history: maybe(Type.Array(ResponseItem)),
  window_number: maybe(Type.Integer()),
  first_window_id: maybe(Type.String()),
  previous_window_id: maybe(Type.String()),
  window_id: maybe(Type.String()),
});
export type CompactedItem = Static<typeof CompactedItem>;

const envelope = { timestamp: Type.String(), ordinal: maybe(Type.Integer({ minimum: 0 })) };

export const RolloutLine = taggedUnion("RolloutLine", "type", {
  session_meta: { ...envelope, payload: SessionMeta },
  response_item: { ...envelope, payload: ResponseItem, metadata: Type.Optional(Type.Unknown()) },
  event_msg: { ...envelope, payload: EventMsg },
  turn_context: { ...envelope, payload: TurnContextItem },
  compacted: { ...envelope, payload: CompactedItem },
  world_state: { ...envelope, payload: shape({ full: Type.Boolean(), state: Type.Unknown() }) },
  inter_agent_communication: { ...envelope, payload: InterAgentCommunication },
  inter_agent_communication_metadata: { ...envelope, payload: shape({ trigger_turn: Type.Boolean() }) },
  security_risk_score: { ...envelope, payload: Type.Unknown() },
  token_usage_record: { ...envelope, payload: record(Type.Unknown()) },
  retained_context: { ...envelope, payload: record(Type.Unknown()) },
});
export type RolloutLine = Static<typeof RolloutLine>;

/** A line's payload by its type: `RolloutPayload<"session_meta">`. */
export type RolloutPayload<Kind extends RolloutLine["type"]> = Extract<RolloutLine, { type: Kind }>["payload"];
