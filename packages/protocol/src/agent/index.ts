/** Every schema of the agent family. */
export * from "./additional-context.js";
export * from "./approvals.js";
export * from "./byte-range.js";
export * from "./command.js";
export * from "./config-file.js";
export * from "./errors.js";
export { Event, EventMsg, type EventOf } from "./event.js";
export {
  McpInvocation,
  McpStartupStatus,
  PlanItem,
  PlanStepStatus,
  TurnAbortReason,
  UpdatePlanArgs,
} from "./event-members.js";
export * from "./file-change.js";
export * from "./hook-output.js";
export * from "./hook-run.js";
export * from "./hooks-file.js";
export * from "./mcp-credentials.js";
export * from "./model-stream.js";
export * from "./modes.js";
export * from "./op.js";
export {
  RequestUserInputAnswer,
  RequestUserInputArgs,
  RequestUserInputEvent,
  RequestUserInputQuestion,
  RequestUserInputQuestionOption,
  RequestUserInputResponse,
} from "./request-user-input.js";
export * from "./response-item.js";
export * from "./script-file.js";
export * from "./session-source.js";
export * from "./settings.js";
export * from "./settings-values.js";
export * from "./token-usage.js";
export * from "./tool-arguments.js";
export * from "./tool-permissions.js";
export * from "./turn-input.js";
export * from "./turn-item.js";
export * from "./user-input.js";
