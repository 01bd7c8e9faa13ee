/**
 * Input for a turn, how it may be submitted and what was decided.
 * The JSON of the request, mode, submission and reason is this package's own: externally tagged like `TurnInput`.
 */
import { type Static, Type } from "typebox";
import { anyOf, literals, maybe, named, nullable, open, record, shape, wrapped } from "../define.js";
import { W3cTraceContext } from "../rpc/message.js";
import { AdditionalContext } from "./additional-context.js";
import { ResponseItem } from "./response-item.js";
import { ThreadSettingsOverrides } from "./settings.js";
import { NonSteerableTurnKind } from "./settings-values.js";
import { UserInput } from "./user-input.js";

/** A message of one agent to another. `content` may be encrypted by the model's service. */
export const InterAgentCommunication = open("InterAgentCommunication", {
  author: Type.String(),
  recipient: Type.String(),
  content: Type.String(),
  /** Whether an idle recipient starts a turn for it. */
  trigger_turn: Type.Optional(Type.Boolean()),
});
export type InterAgentCommunication = Static<typeof InterAgentCommunication>;

export const TurnInput = named(
  "TurnInput",
  anyOf([
    wrapped("UserInput", shape({ content: Type.Array(UserInput), client_id: nullable(Type.String()) })),
    wrapped("ResponseItem", ResponseItem),
    wrapped("InterAgentCommunication", InterAgentCommunication),
  ]),
);
export type TurnInput = Static<typeof TurnInput>;

/** Options that only matter when a turn is started, not when one is steered. */
export const TurnStartOptions = open("TurnStartOptions", {
  final_output_json_schema: Type.Optional(Type.Unknown()),
  parent_turn_id: maybe(Type.String()),
  root_turn_id: maybe(Type.String()),
});
export type TurnStartOptions = Static<typeof TurnStartOptions>;

export const TurnInputRequest = open("TurnInputRequest", {
  input: TurnInput,
  /** Persistent: they hold for later turns too. */
  thread_settings: Type.Optional(ThreadSettingsOverrides),
  start: Type.Optional(TurnStartOptions),
  additional_context: Type.Optional(AdditionalContext),
  responsesapi_client_metadata: maybe(record(Type.String())),
  /** W3C trace context to continue. */
  trace: maybe(W3cTraceContext),
});
export type TurnInputRequest = Static<typeof TurnInputRequest>;

export const TurnInputMode = named(
  "TurnInputMode",
  anyOf([literals(["StartOrSteer", "StartIfIdle"]), wrapped("Steer", shape({ expected_turn_id: Type.String() }))]),
);
export type TurnInputMode = Static<typeof TurnInputMode>;

export const NotSubmittedReason = named(
  "NotSubmittedReason",
  anyOf([
    literals([
      "NotIdle",
      "PendingTriggerTurn",
      "PlanMode",
      "NoActiveTurn",
      "ActiveTurnOutputSchemaMismatch",
      "EmptyInput",
    ]),
    wrapped("ExpectedTurnMismatch", shape({ expected: Type.String(), actual: Type.String() })),
    wrapped("ActiveTurnNotSteerable", shape({ turn_kind: NonSteerableTurnKind })),
  ]),
);
export type NotSubmittedReason = Static<typeof NotSubmittedReason>;

export const TurnInputSubmission = named(
  "TurnInputSubmission",
  anyOf([
    wrapped("Started", shape({ turn_id: Type.String() })),
    wrapped("Steered", shape({ turn_id: Type.String() })),
    wrapped("NotSubmitted", shape({ reason: NotSubmittedReason })),
  ]),
);
export type TurnInputSubmission = Static<typeof TurnInputSubmission>;
