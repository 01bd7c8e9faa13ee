/**
 * request_permissions: the model asks the person to widen the sandbox of later commands, for this turn or for the rest
 * of the session. Owns the arguments and the output text. Does not own who is asked and what then holds: see
 * PermissionAsker.
 */
import { functionHookPayload, parseArguments, withFunctionArguments } from "../arguments.js";
import type { PermissionAsker } from "../ports.js";
import { type CallContext, RespondToModel, type Tool, type ToolCall, type ToolOutput } from "../tool.js";
import { isEmpty, readPermissions, writePermissions } from "./permission-grant.js";
import { permissionParameters } from "./permission-parameters.js";

const NAME = "request_permissions";

/** The one environment a turn has. */
const ENVIRONMENT = "local";

const parameters = {
  type: "object",
  properties: {
    permissions: permissionParameters("What later commands should be allowed to do."),
    reason: { type: "string", description: "Why it is needed, in one short sentence that the user reads." },
    environment_id: { type: "string", description: "Which environment is meant. Default: the one of the turn." },
  },
  required: ["permissions"],
  additionalProperties: false,
};

export interface RequestPermissionsOptions {
  readonly asker: PermissionAsker;
  /** Joins a path the model gave to the turn's folder. */
  readonly resolvePath: (base: string, path: string) => string;
}

export function createRequestPermissionsTool(options: RequestPermissionsOptions): Tool {
  return {
    spec: {
      type: "function",
      name: NAME,
      description:
        "Asks the user to let later commands reach more files or the network, and waits for the answer. What comes back is what was granted, which may be less than was asked for; it holds for the rest of the turn, or of the session when the scope says so.",
      strict: false,
      parameters,
    },
    exposure: "direct",
    supportsParallelCalls: false,
    isControl: false,
    accepts: (payload) => payload.kind !== "custom",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    run: (call, context) => run(call, context, options),
  };
}

async function run(call: ToolCall, context: CallContext, options: RequestPermissionsOptions): Promise<ToolOutput> {
  if (call.payload.kind !== "function") throw new RespondToModel(`${NAME} handler received unsupported payload`);
  const args = parseArguments("RequestPermissionsArgs", call.payload.arguments);
  const environment = args.environment_id ?? ENVIRONMENT;
  if (environment !== ENVIRONMENT) throw new RespondToModel(`unknown turn environment id \`${environment}\``);
  const { turn } = context;
  const permissions = readPermissions(args.permissions, (path) => options.resolvePath(turn.cwd, path));
  if (isEmpty(permissions)) throw new RespondToModel(`${NAME} requires at least one permission`);
  const answer = await options.asker.ask(turn, {
    callId: call.callId,
    permissions,
    reason: args.reason ?? undefined,
  });
  if (answer === undefined) throw new RespondToModel(`${NAME} was cancelled before receiving a response`);
  const text = JSON.stringify({
    permissions: writePermissions(answer.permissions),
    scope: answer.scope,
    ...(answer.strictAutoReview && { strict_auto_review: true }),
  });
  return { body: text, success: true, postToolUse: { ...functionHookPayload(call)!, toolResponse: text } };
}
