/**
 * The exec_command tool: arguments, working directory, shell, authorisation, and the text the model reads.
 */
import type { ToolPermissions } from "@turnkit/protocol";
import type { PatchApplier } from "../apply-patch/apply-patch.js";
import { isBarePatch, recognisePatchCommand } from "../apply-patch/recognise-command.js";
import { parseArguments } from "../arguments.js";
import { textOutput } from "../dispatch.js";
import { isEmpty, type PermissionGrant, readPermissions } from "../permissions/permission-grant.js";
import { permissionParameters } from "../permissions/permission-parameters.js";
import type { ExecAuthorization, ExecAuthorizer } from "../ports.js";
import { type CallContext, RespondToModel, type Tool, type ToolCall, type ToolOutput } from "../tool.js";
import { CreateProcessError, UnifiedExecError } from "./errors.js";
import { formatExecOutput, outputBudget, truncateOutput } from "./format-output.js";
import { DEFAULT_EXEC_YIELD_MS } from "./limits.js";
import { type Shell, shellArgv } from "./shell.js";
import { shellJoin } from "./shell-words.js";
import type { ExecResult, UnifiedExec } from "./unified-exec.js";

const NAME = "exec_command";
const WITH_ADDITIONAL = "with_additional_permissions";

export interface ExecCommandOptions {
  readonly exec: UnifiedExec;
  readonly authorizer: ExecAuthorizer;
  /** The person's shell. */
  readonly defaultShell: Shell;
  /** Finds the shell a model names; falls back to a plain one. */
  readonly resolveShell: (path: string) => Promise<Shell>;
  readonly loginAllowed: boolean;
  /** Whether a command may ask for more without leaving the sandbox. */
  readonly additionalPermissions: boolean;
  /** The exact environment of commands. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Joins a working directory the model gave to the turn's. */
  readonly resolvePath: (base: string, path: string) => string;
  /** Applies commands that are nothing but a patch; undefined: they go to the shell like others. */
  readonly patches?: PatchApplier | undefined;
}

function parameters({ loginAllowed, additionalPermissions }: ExecCommandOptions) {
  return {
    type: "object",
    properties: {
      cmd: { type: "string", description: "The command line, run by a shell." },
      workdir: { type: "string", description: "Folder to run in. Default: the folder of the turn." },
      tty: {
        type: "boolean",
        description: "true gives the command a terminal, which keeps its input open; by default it gets plain pipes.",
      },
      yield_time_ms: {
        type: "number",
        description: "How long to wait for output before returning, 250 to 30000 ms. Default: 10000.",
      },
      max_output_tokens: {
        type: "number",
        description: "How many tokens of output to return at most. Default: 10000; a policy may cap it.",
      },
      shell: { type: "string", description: "Shell to use instead of the user's own." },
      ...(loginAllowed
        ? { login: { type: "boolean", description: "Whether the shell is a login shell. Default: true." } }
        : {}),
      sandbox_permissions: {
        type: "string",
        enum: ["use_default", ...(additionalPermissions ? [WITH_ADDITIONAL] : []), "require_escalated"],
        description: additionalPermissions
          ? "`require_escalated` asks to run outside the sandbox, `with_additional_permissions` within it with what `additional_permissions` names. Default: `use_default`."
          : "`require_escalated` asks to run outside the sandbox. Default: `use_default`.",
      },
      ...(additionalPermissions
        ? {
            additional_permissions: permissionParameters(
              "With `with_additional_permissions` only: what this command needs beyond the sandbox.",
            ),
          }
        : {}),
      justification: {
        type: "string",
        description: "With `require_escalated` only: the question put to the user.",
      },
      prefix_rule: {
        type: "array",
        items: { type: "string" },
        description: "With `require_escalated` only: the leading words of commands that could be allowed from now on.",
      },
    },
    required: ["cmd"],
    additionalProperties: false,
  };
}

interface ExecArguments {
  readonly cmd: string;
  readonly workdir: string | undefined;
  readonly tty: boolean;
  readonly yieldMs: number;
  readonly maxOutputTokens: number | undefined;
  readonly shell: string | undefined;
  readonly login: boolean | undefined;
  readonly escalated: boolean;
  readonly sandboxPermissionsGiven: boolean;
  readonly withAdditional: boolean;
  readonly additional: ToolPermissions | undefined;
  readonly justification: string | undefined;
  readonly prefixRule: readonly string[] | undefined;
}

/** @throws {RespondToModel} */
export function parseExecArguments(text: string): ExecArguments {
  const args = parseArguments("ExecCommandArgs", text);
  return {
    cmd: args.cmd,
    workdir: args.workdir ?? undefined,
    tty: args.tty ?? false,
    yieldMs: args.yield_time_ms ?? DEFAULT_EXEC_YIELD_MS,
    maxOutputTokens: args.max_output_tokens ?? undefined,
    shell: args.shell ?? undefined,
    login: args.login ?? undefined,
    escalated: args.sandbox_permissions === "require_escalated",
    sandboxPermissionsGiven: args.sandbox_permissions !== undefined,
    withAdditional: args.sandbox_permissions === WITH_ADDITIONAL,
    additional: args.additional_permissions ?? undefined,
    justification: args.justification ?? undefined,
    prefixRule: args.prefix_rule ?? undefined,
  };
}

export function createExecCommandTool(options: ExecCommandOptions): Tool {
  return {
    spec: {
      type: "function",
      name: NAME,
      description:
        "Runs a command and returns its output, or a session ID when it is still running; write_stdin goes on with that session.",
      strict: false,
      parameters: parameters(options),
    },
    exposure: "direct",
    supportsParallelCalls: true,
    isControl: false,
    accepts: (payload) => payload.kind !== "custom",
    preToolUse(call) {
      const command = commandOf(call);
      return command === undefined ? undefined : { toolName: "Bash", toolUseId: call.callId, toolInput: { command } };
    },
    withUpdatedInput(call, updatedInput) {
      const command = (updatedInput as { command?: unknown } | null)?.command;
      if (typeof command !== "string")
        throw new RespondToModel("hook returned updatedInput without string field `command`");
      const given = JSON.parse((call.payload as { arguments: string }).arguments) as Record<string, unknown>;
      return { ...call, payload: { kind: "function", arguments: JSON.stringify({ ...given, cmd: command }) } };
    },
    run: (call, context) => run(call, context, options),
  };
}

function commandOf(call: ToolCall): string | undefined {
  if (call.payload.kind !== "function") return undefined;
  try {
    return parseExecArguments(call.payload.arguments).cmd;
  } catch {
    return undefined;
  }
}

async function run(call: ToolCall, context: CallContext, options: ExecCommandOptions): Promise<ToolOutput> {
  if (call.payload.kind !== "function") throw new RespondToModel(`${NAME} handler received unsupported payload`);
  const { turn } = context;
  const args = parseExecArguments(call.payload.arguments);
  const cwd =
    args.workdir === undefined || args.workdir === "" ? turn.cwd : options.resolvePath(turn.cwd, args.workdir);
  if (args.justification !== undefined && !args.sandboxPermissionsGiven)
    throw new RespondToModel(
      '`justification` requires an explicit `sandbox_permissions`; use `sandbox_permissions: "require_escalated"` for unsandboxed execution, or omit `justification`.',
    );
  const additional = additionalPermissions(args, cwd, options);
  const shell = args.shell === undefined ? options.defaultShell : await options.resolveShell(args.shell);
  const argv = shellArgv({ shell, command: args.cmd, login: args.login, loginAllowed: options.loginAllowed });
  const patched = await applyAsPatch(args.cmd, cwd, call, context, options);
  if (patched) return patched;
  const authorization = await options.authorizer.authorize({
    turn,
    callId: call.callId,
    argv,
    command: args.cmd,
    cwd,
    escalated: args.escalated,
    additional,
    justification: args.justification,
    prefixRule: args.prefixRule,
    signal: context.signal,
  });
  const attempt = (sandbox: unknown, holdsDenial: boolean) =>
    options.exec.exec({
      sessionId: options.exec.reserveId(),
      callId: call.callId,
      turn,
      command: args.cmd,
      argv,
      cwd,
      env: options.environment(),
      tty: args.tty,
      yieldMs: args.yieldMs,
      sandbox,
      holdsDenial,
      signal: context.signal,
    });
  try {
    const { sandbox, afterDenial } = runs(authorization);
    let result = await attempt(sandbox, afterDenial !== undefined);
    if (result.report && afterDenial) {
      const again = await afterDenial();
      if (again.type !== "run") result.report();
      result = await attempt(runs(again).sandbox, false);
    }
    return execOutput(result, args.maxOutputTokens, turn.outputTokenLimit);
  } catch (error) {
    if (error instanceof UnifiedExecError)
      throw new RespondToModel(`${NAME} failed for \`${shellJoin(argv)}\`: ${error.debug}`);
    throw error;
  }
}

/** Permissions that are named count, whether or not `sandbox_permissions` announces them. @throws {RespondToModel} */
function additionalPermissions(
  args: ExecArguments,
  cwd: string,
  options: ExecCommandOptions,
): PermissionGrant | undefined {
  if (args.escalated || (!args.withAdditional && args.additional === undefined)) return undefined;
  if (!options.additionalPermissions)
    throw new RespondToModel(
      "additional permissions are disabled; enable `features.exec_permission_approvals` before using `with_additional_permissions`",
    );
  if (args.additional === undefined)
    throw new RespondToModel(
      "missing `additional_permissions`; provide at least one of `network` or `file_system` when using `with_additional_permissions`",
    );
  const permissions = readPermissions(args.additional, (path) => options.resolvePath(cwd, path));
  if (isEmpty(permissions))
    throw new RespondToModel(
      "`additional_permissions` must include at least one requested permission in `network` or `file_system`",
    );
  return permissions;
}

/** @throws {RespondToModel} the rules forbid it  @throws {CreateProcessError} somebody decided against it */
function runs(authorization: ExecAuthorization): Extract<ExecAuthorization, { type: "run" }> {
  if (authorization.type === "refused") throw new RespondToModel(authorization.message);
  if (authorization.type === "rejected") throw new CreateProcessError(authorization.reason);
  return authorization;
}

/** The files are changed as apply_patch would; no process is started and no hook sees a result. */
async function applyAsPatch(
  command: string,
  cwd: string,
  call: ToolCall,
  context: CallContext,
  options: ExecCommandOptions,
): Promise<ToolOutput | undefined> {
  if (!options.patches) return undefined;
  if (isBarePatch(command))
    throw new RespondToModel(
      'apply_patch verification failed: patch detected without explicit call to apply_patch. Rerun as ["apply_patch", "<patch>"]',
    );
  const found = recognisePatchCommand(command);
  if (!found) return undefined;
  const folder = found.folder === undefined ? cwd : options.resolvePath(cwd, found.folder);
  const { text } = await options.patches.apply({ callId: call.callId, patch: found.patch, cwd: folder }, context);
  return textOutput(`Wall time: 0.0000 seconds\nOutput:\n${text}`, true);
}

/** The output of a call, and what hooks learn of it once the command has ended. */
export function execOutput(result: ExecResult, maxOutputTokens: number | undefined, modelLimit: number): ToolOutput {
  const { origin } = result.process;
  const body = formatExecOutput({ ...result, maxOutputTokens }, modelLimit);
  if (result.sessionId !== undefined) return { body, success: true, postToolUse: undefined };
  return {
    body,
    success: true,
    postToolUse: {
      toolName: "Bash",
      toolUseId: origin.callId,
      toolInput: { command: origin.command },
      toolResponse: truncateOutput(result.content, outputBudget(maxOutputTokens, modelLimit)),
    },
  };
}
