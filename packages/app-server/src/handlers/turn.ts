/** turn/start, turn/steer, turn/interrupt: checks in the protocol's order, then the session decides. */

import type { NotSubmittedReason, ThreadSettingsOverrides, TurnInputRequest } from "@turnkit/protocol";
import { RpcErrorCode } from "@turnkit/protocol";
import { type AppParams, fromAppUserInput } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import { emptyTurn } from "../events/event-projector.js";
import { type Handlers, Later } from "./handler.js";
import { sessionCall } from "./session-call.js";
import { toOverrides } from "./settings-overrides.js";
import { refuseOversize, refuseRemoteImages } from "./user-input-checks.js";

type InputParams = AppParams<"turn/start"> | AppParams<"turn/steer">;

export const turnHandlers: Handlers = {
  async "turn/start"(params, { server }) {
    refuseRemoteImages(params.input);
    const thread = server.threads.get(params.threadId);
    refuseOversize(params.input);
    if (params.environments?.some(({ environmentId }) => environmentId !== thread.environmentId)) {
      throw new RpcError(
        RpcErrorCode.invalidRequest,
        `the thread's processes run in environment \`${thread.environmentId}\``,
      );
    }
    const overrides = toOverrides(params);
    await thread.announced;
    const release = thread.queue.hold();
    try {
      const submission = await sessionCall("failed to submit turn input", () =>
        thread.session.submit(toRequest(params, overrides, params.outputSchema), "StartOrSteer"),
      );
      if ("NotSubmitted" in submission) {
        throw new RpcError(
          RpcErrorCode.internalError,
          `failed to submit turn input: ${debugReason(submission.NotSubmitted.reason)}`,
        );
      }
      return { turn: emptyTurn("Started" in submission ? submission.Started.turn_id : submission.Steered.turn_id) };
    } finally {
      release();
    }
  },

  async "turn/steer"(params, { server }) {
    refuseRemoteImages(params.input);
    const thread = server.threads.get(params.threadId);
    if (params.expectedTurnId === "")
      throw new RpcError(RpcErrorCode.invalidRequest, "expectedTurnId must not be empty");
    refuseOversize(params.input);
    await thread.announced;
    const release = thread.queue.hold();
    try {
      const submission = await sessionCall("failed to steer turn", () =>
        thread.session.submit(toRequest(params, undefined, undefined), {
          Steer: { expected_turn_id: params.expectedTurnId },
        }),
      );
      if ("NotSubmitted" in submission) throw steerRefusal(submission.NotSubmitted.reason);
      return { turnId: "Steered" in submission ? submission.Steered.turn_id : submission.Started.turn_id };
    } finally {
      release();
    }
  },

  "turn/interrupt"({ threadId, turnId }, { server }) {
    const thread = server.threads.get(threadId);
    const active = thread.activeTurnId;
    if (active === null) {
      // An interrupt of whatever may be starting, or of the turn that was interrupted last, has nothing left to do.
      if (turnId === "" || turnId === thread.lastInterruptedTurnId) return {};
      throw new RpcError(RpcErrorCode.invalidRequest, "no active turn to interrupt");
    }
    if (turnId !== "" && turnId !== active) {
      if (turnId === thread.lastInterruptedTurnId) return {};
      throw new RpcError(RpcErrorCode.invalidRequest, `expected active turn id ${turnId} but found ${active}`);
    }
    const ended = thread.turnEnd();
    thread.session.interrupt().catch((error: unknown) => server.log(`failed to interrupt turn: ${String(error)}`));
    return new Later(ended.then(() => ({})));
  },
};

function toRequest(
  params: InputParams,
  overrides: ThreadSettingsOverrides | undefined,
  outputSchema: unknown,
): TurnInputRequest {
  return {
    input: {
      UserInput: { content: params.input.map(fromAppUserInput), client_id: params.clientUserMessageId ?? null },
    },
    ...(overrides && { thread_settings: overrides }),
    ...(outputSchema != null && { start: { final_output_json_schema: outputSchema } }),
    ...(params.additionalContext != null && { additional_context: params.additionalContext }),
    ...(params.responsesapiClientMetadata != null && {
      responsesapi_client_metadata: params.responsesapiClientMetadata,
    }),
  };
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The reason as the reference prints it in its error text. */
export function debugReason(reason: NotSubmittedReason): string {
  if (typeof reason === "string") return reason;
  if ("ActiveTurnNotSteerable" in reason) {
    return `ActiveTurnNotSteerable { turn_kind: ${capital(reason.ActiveTurnNotSteerable.turn_kind)} }`;
  }
  const { expected, actual } = reason.ExpectedTurnMismatch;
  return `ExpectedTurnMismatch { expected: "${expected}", actual: "${actual}" }`;
}

function steerRefusal(reason: NotSubmittedReason): RpcError {
  if (typeof reason !== "string") {
    if ("ExpectedTurnMismatch" in reason) {
      const { expected, actual } = reason.ExpectedTurnMismatch;
      return new RpcError(
        RpcErrorCode.invalidRequest,
        `expected active turn id \`${expected}\` but found \`${actual}\``,
      );
    }
    const turnKind = reason.ActiveTurnNotSteerable.turn_kind;
    const message = `cannot steer a ${turnKind} turn`;
    return new RpcError(RpcErrorCode.invalidRequest, message, {
      message,
      codexErrorInfo: { activeTurnNotSteerable: { turnKind } },
      additionalDetails: null,
    });
  }
  if (reason === "EmptyInput") return new RpcError(RpcErrorCode.invalidRequest, "input must not be empty");
  if (reason === "ActiveTurnOutputSchemaMismatch") {
    return new RpcError(RpcErrorCode.invalidRequest, "active turn uses a different output schema");
  }
  return new RpcError(RpcErrorCode.invalidRequest, "no active turn to steer");
}
