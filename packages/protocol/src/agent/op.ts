/** Operations a session takes. Settings, input and answers; everything else is a plain command. */
import { type Static, Type } from "typebox";
import { maybe, taggedUnion } from "../define.js";
import { ReviewDecision } from "./approvals.js";
import { RequestUserInputResponse } from "./request-user-input.js";
import { ThreadSettingsOverrides } from "./settings.js";
import { InterAgentCommunication, TurnInputMode, TurnInputRequest } from "./turn-input.js";

export const Op = taggedUnion("Op", "type", {
  interrupt: {},
  clean_background_terminals: {},
  turn_input: { request: TurnInputRequest, mode: TurnInputMode },
  recover_turn: { turn_id: Type.String(), thread_settings: Type.Optional(ThreadSettingsOverrides) },
  thread_settings: { overrides: ThreadSettingsOverrides },
  inter_agent_communication: { communication: InterAgentCommunication },
  exec_approval: { id: Type.String(), turn_id: maybe(Type.String()), decision: ReviewDecision },
  patch_approval: { id: Type.String(), decision: ReviewDecision },
  /** `id` is the turn's id. */
  user_input_answer: { id: Type.String(), response: RequestUserInputResponse },
  request_permissions_response: { id: Type.String(), response: Type.Unknown() },
  resolve_elicitation: {
    server_name: Type.String(),
    request_id: Type.Union([Type.String(), Type.Integer()]),
    decision: Type.String(),
    content: Type.Optional(Type.Unknown()),
  },
  dynamic_tool_response: { id: Type.String(), response: Type.Unknown() },
  compact: {},
  thread_rollback: { num_turns: Type.Integer({ minimum: 1 }) },
  run_user_shell_command: { command: Type.String() },
  reload_user_config: {},
  shutdown: {},
});
export type Op = Static<typeof Op>;
