/**
 * Decides whether a command may run and how it is confined, by the turn's approval policy and sandbox. Asks the
 * person where the policy says so. Owns what was approved for the rest of the session.
 */
import type { AskForApproval, ReviewDecision } from "@turnkit/protocol";
import {
  type ExecAuthorization,
  type ExecAuthorizationRequest,
  type ExecAuthorizer,
  parseCommand,
} from "@turnkit/tools";
import type { Runtime } from "../session/runtime.js";
import { isDangerous } from "./dangerous-command.js";

const POLICY_NAMES: Readonly<Record<string, string>> = {
  never: "Never",
  "on-request": "OnRequest",
  untrusted: "UnlessTrusted",
};

function policyName(policy: AskForApproval): string {
  return typeof policy === "string" ? (POLICY_NAMES[policy] ?? policy) : "Granular";
}

export interface ExecAuthorizerOptions {
  readonly runtime: () => Runtime;
  /** Settings of a running turn. */
  readonly abortTurn: (turnId: string) => void;
  /** false: the host cannot confine processes. */
  readonly sandboxAvailable: boolean;
}

export class SessionExecAuthorizer implements ExecAuthorizer {
  readonly #approvedForSession = new Set<string>();
  readonly #approvedPrefixes: (readonly string[])[] = [];

  constructor(private readonly options: ExecAuthorizerOptions) {}

  async authorize(request: ExecAuthorizationRequest): Promise<ExecAuthorization> {
    const { approval_policy: policy, sandbox_policy: sandbox } = this.options.runtime().settings;
    const unconfined = sandbox.type === "danger-full-access" || sandbox.type === "external-sandbox";
    if (request.escalated && policy !== "on-request" && typeof policy === "string")
      return {
        type: "refused",
        message: `approval policy is ${policyName(policy)}; reject command — you cannot ask for escalated permissions if the approval policy is ${policyName(policy)}`,
      };
    if (this.#isApproved(request)) return { type: "run", sandbox: null };
    const dangerous = isDangerous(request.command);
    if (dangerous && policy === "never")
      return {
        type: "refused",
        message: `\`${request.command}\` rejected: rm -f style commands are not permitted. Use a safer approach`,
      };
    const mustAsk =
      policy === "untrusted" ||
      (policy !== "never" && (dangerous || (!unconfined && (request.escalated || !this.options.sandboxAvailable))));
    if (mustAsk) return await this.#ask(request);
    if (unconfined) return { type: "run", sandbox: null };
    if (!this.options.sandboxAvailable)
      return {
        type: "refused",
        message: `the sandbox policy is ${sandbox.type}, and no sandbox is available here; the approval policy forbids asking to run without one`,
      };
    return { type: "run", sandbox: { policy: sandbox, cwd: request.cwd } };
  }

  #isApproved(request: ExecAuthorizationRequest): boolean {
    if (this.#approvedForSession.has(request.command)) return true;
    const words = request.command.trim().split(/\s+/);
    return this.#approvedPrefixes.some((prefix) => prefix.every((word, at) => words[at] === word));
  }

  async #ask(request: ExecAuthorizationRequest): Promise<ExecAuthorization> {
    const runtime = this.options.runtime();
    const { elicitations } = runtime.parts;
    const amendment = [...(request.prefixRule ?? request.argv)];
    const release = elicitations.hold();
    try {
      const decision = runtime.parts.approvals.register(request.callId, request.turn.id);
      runtime.emit(request.turn.id, {
        type: "exec_approval_request",
        call_id: request.callId,
        turn_id: request.turn.id,
        started_at_ms: runtime.parts.clock.epochMs(),
        environment_id: "local",
        command: [...request.argv],
        cwd: request.cwd,
        ...(request.justification === undefined ? {} : { reason: request.justification }),
        proposed_execpolicy_amendment: amendment,
        available_decisions: [
          "approved",
          { approved_execpolicy_amendment: { proposed_execpolicy_amendment: amendment } },
          "abort",
        ],
        parsed_cmd: [...parseCommand(request.command)],
      });
      return this.#apply(request, await decision);
    } finally {
      release();
    }
  }

  #apply(request: ExecAuthorizationRequest, decision: ReviewDecision | undefined): ExecAuthorization {
    if (decision === "approved") return { type: "run", sandbox: null };
    if (decision === "approved_for_session") {
      this.#approvedForSession.add(request.command);
      return { type: "run", sandbox: null };
    }
    if (typeof decision === "object" && "approved_execpolicy_amendment" in decision) {
      this.#approvedPrefixes.push(decision.approved_execpolicy_amendment.proposed_execpolicy_amendment);
      return { type: "run", sandbox: null };
    }
    if (decision === "abort") {
      this.options.abortTurn(request.turn.id);
      return { type: "rejected", reason: "rejected by user" };
    }
    if (typeof decision === "object" && "denied" in decision)
      return { type: "rejected", reason: decision.denied.rejection || "rejected by user" };
    return { type: "rejected", reason: decision === undefined ? "approval request failed" : "rejected by user" };
  }
}
