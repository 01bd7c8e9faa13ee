export {
  APPLY_PATCH,
  type ApplyPatchOptions,
  createApplyPatchTool,
  type FileChangeItem,
  PatchApplier,
  type PatchAuthorization,
  type PatchAuthorizationRequest,
  type PatchAuthorizer,
  type PatchDecision,
  type PatchReporter,
} from "./apply-patch/apply-patch.js";
export type { PlannedFile } from "./apply-patch/plan-patch.js";
export { isBarePatch, type PatchCommand, recognisePatchCommand } from "./apply-patch/recognise-command.js";
export { TurnDiff } from "./apply-patch/turn-diff.js";
export { functionHookPayload, hookInput, parseArguments, withFunctionArguments } from "./arguments.js";
export { type DispatchDependencies, dispatch, textOutput } from "./dispatch.js";
export { FileError, type FileStat, type FileSystem } from "./file-system/file-system.js";
export { errorCode, osErrorText } from "./file-system/os-error-text.js";
export {
  addPermissions,
  covers,
  isEmpty,
  NO_PERMISSIONS,
  type PermissionGrant,
  readPermissions,
  withinRequest,
  writePermissions,
} from "./permissions/permission-grant.js";
export { createRequestPermissionsTool, type RequestPermissionsOptions } from "./permissions/request-permissions.js";
export type * from "./ports.js";
export { ToolRegistry } from "./registry.js";
export {
  createRequestUserInputTool,
  describeModes,
  modesAllowingQuestions,
  normalizeQuestions,
  parseRequestUserInputArgs,
  QUESTION_TOOL_NAME,
  type QuestionRefusal,
  type RequestUserInputOptions,
} from "./request-user-input.js";
export * from "./tool.js";
export { DeltaStream, toBase64 } from "./unified-exec/delta-stream.js";
export {
  commandEnvironment,
  DEFAULT_ENVIRONMENT_POLICY,
  type ShellEnvironmentPolicy,
} from "./unified-exec/environment.js";
export { UnifiedExecError } from "./unified-exec/errors.js";
export { createExecCommandTool, type ExecCommandOptions } from "./unified-exec/exec-command.js";
export { truncateMiddle } from "./unified-exec/format-output.js";
export { DEFAULT_OUTPUT_TOKENS } from "./unified-exec/limits.js";
export { OutputWindow } from "./unified-exec/output-window.js";
export { parseCommand } from "./unified-exec/parse-command.js";
export type { TerminalRow } from "./unified-exec/process-table.js";
export { type Shell, shellNameOf } from "./unified-exec/shell.js";
export { type SimpleCommand, shellJoin, shellQuote, splitSimpleScript } from "./unified-exec/shell-words.js";
export { type ExecResult, UnifiedExec, type UnifiedExecOptions } from "./unified-exec/unified-exec.js";
export { createWriteStdinTool } from "./unified-exec/write-stdin.js";
export { createUpdatePlanTool } from "./update-plan.js";
export { createViewImageTool, type ViewImageOptions } from "./view-image.js";
