/**
 * Decides whether a command may run and how it is confined, by the turn's approval policy and sandbox. Asks the
 * person where the policy says so. Owns what was approved for the rest of the session.
 */
import type { AskForApproval, ReviewDecision } from "@turnkit/protocol";
import {
  addPermissions,
  covers,
  type ExecAuthorization,
  type ExecAuthorizationRequest,
  type ExecAuthorizer,
  isEmpty,
  NO_PERMISSIONS,
  type PermissionGrant,
  parseCommand,
  shellJoin,
  writePermissions,
} from "@turnkit/tools";
import type { Runtime } from "../session/runtime.js";
import type { CommandRules } from "./command-rules.js";
import { isDangerous } from "./dangerous-command.js";
import { execSandbox } from "./exec-sandbox.js";
import type { GrantedPermissions } from "./granted-permissions.js";

const POLICY_NAMES: Readonly<Record<string, string>> = {
  never: "Never",
  "on-request": "OnRequest",
  untrusted: "UnlessTrusted",
};

function policyName(policy: AskForApproval): string {
  if (typeof policy === "string") return POLICY_NAMES[policy] ?? policy;
  const { sandbox_approval, rules, skill_approval, request_permissions, mcp_elicitations } = policy.granular;
  return `Granular(GranularApprovalConfig { sandbox_approval: ${sandbox_approval}, rules: ${rules}, skill_approval: ${skill_approval ?? false}, request_permissions: ${request_permissions ?? false}, mcp_elicitations: ${mcp_elicitations} })`;
}

/** Whether a command may ask to leave the sandbox before it has tried within. */
function mayAskToEscalate(policy: AskForApproval): boolean {
  return typeof policy === "string" ? policy === "on-request" : policy.granular.sandbox_approval;
}

/** Under the others it is the model's to ask: it reads what the sandbox stopped, and may escalate. */
function asksAfterDenial(policy: AskForApproval): boolean {
  return typeof policy === "string" ? policy === "untrusted" : policy.granular.sandbox_approval;
}

const RETRY_REASON = "command failed; retry without sandbox?";

export interface ExecAuthorizerOptions {
  readonly runtime: () => Runtime;
  /** Settings of a running turn. */
  readonly abortTurn: (turnId: string) => void;
  /** Whether the host can confine processes. */
  readonly sandboxAvailable: () => Promise<boolean>;
  readonly rules: CommandRules;
  readonly granted: GrantedPermissions;
}

/** Why a rule that asks cannot ask; undefined: it can. */
function closedToRules(policy: AskForApproval): string | undefined {
  if (policy === "never") return "approval required by policy, but AskForApproval is set to Never";
  return typeof policy === "object" && !policy.granular.rules
    ? "approval required by policy rule, but AskForApproval::Granular.rules is false"
    : undefined;
}

interface Asked extends ExecAuthorizationRequest {
  /** How commands begin that the person may allow for good; undefined: a rule says that they are to be asked. */
  readonly amendment: readonly string[] | undefined;
}

export class SessionExecAuthorizer implements ExecAuthorizer {
  readonly #approvedForSession = new Set<string>();

  constructor(private readonly options: ExecAuthorizerOptions) {}

  async authorize(given: ExecAuthorizationRequest): Promise<ExecAuthorization> {
    const { approval_policy: policy, sandbox_policy: sandbox } = this.options.runtime().settings;
    const unconfined = sandbox.type === "danger-full-access" || sandbox.type === "external-sandbox";
    const refusal = refusalOf(given, policy);
    if (refusal !== undefined) return { type: "refused", message: refusal };
    const rule = await this.options.rules.judge(given.command, given.argv);
    const request: Asked = { ...given, amendment: given.prefixRule ?? rule.missing ?? given.argv };
    for (const message of this.options.rules.takeProblems())
      this.options.runtime().emit(request.turn.id, { type: "warning", message });
    const command = `\`${shellJoin(request.argv)}\``;
    if (rule.decision === "forbidden")
      return { type: "rejected", reason: `${command} rejected: ${rule.justification}` };
    const granted = this.options.granted.of(request.turn.id);
    const widens = !unconfined && request.additional !== undefined && !covers(granted, request.additional);
    if (this.#approvedForSession.has(sessionKey(request))) return this.#run(request);
    const reviewed = this.options.granted.reviews(request.turn.id);
    if (rule.decision === "prompt") {
      const closed = closedToRules(policy);
      if (closed !== undefined) return { type: "rejected", reason: closed };
      const why = rule.justification === undefined ? " by policy" : `: ${rule.justification}`;
      const justification = `${command} requires approval${why}`;
      return await this.#ask({ ...request, justification, amendment: undefined });
    }
    if (!reviewed && rule.decision === "allow") return { type: "run", sandbox: null };
    const dangerous = isDangerous(request.command);
    if (dangerous && policy === "never")
      return {
        type: "rejected",
        reason: `${command} rejected: rm -f style commands are not permitted. Use a safer approach`,
      };
    const confinable = unconfined || (await this.options.sandboxAvailable());
    const mustAsk =
      policy === "untrusted" ||
      reviewed ||
      widens ||
      (policy !== "never" && (dangerous || (!unconfined && (request.escalated || !confinable))));
    if (mustAsk) return await this.#ask(request);
    if (!confinable)
      return {
        type: "refused",
        message: `the sandbox policy is ${sandbox.type}, and no sandbox is available here; the approval policy forbids asking to run without one`,
      };
    return this.#run(request);
  }

  /** As the policy confines it, unless the person let it out. */
  async #run(request: Asked): Promise<ExecAuthorization> {
    const { sandbox_policy: policy } = this.options.runtime().settings;
    const sandbox = request.escalated ? null : execSandbox(policy, request.turn.cwd, this.#beyond(request));
    // Somebody has agreed to run it as it is.
    if (sandbox === null || !(await this.options.sandboxAvailable())) return { type: "run", sandbox: null };
    if (!asksAfterDenial(this.options.runtime().settings.approval_policy)) return { type: "run", sandbox };
    const retry = { ...request, escalated: true, justification: RETRY_REASON };
    return { type: "run", sandbox, afterDenial: () => this.#ask(retry) };
  }

  /** What the command may do beyond the policy once it runs. */
  #beyond(request: ExecAuthorizationRequest): PermissionGrant {
    const granted = this.options.granted.of(request.turn.id);
    return request.additional === undefined ? granted : addPermissions(request.additional, granted);
  }

  async #ask(request: Asked): Promise<ExecAuthorization> {
    const runtime = this.options.runtime();
    const { elicitations } = runtime.parts;
    const amendment = request.amendment && [...request.amendment];
    const byHook = await runtime.parts.hooks?.permissionRequest?.(
      { toolName: "Bash", toolInput: { command: request.command }, turnId: request.turn.id },
      request.signal,
    );
    if (byHook?.decision === "allow") return this.#run(request);
    if (byHook?.decision === "deny") return { type: "rejected", reason: byHook.message ?? "rejected by user" };
    const beyond = request.escalated ? NO_PERMISSIONS : this.#beyond(request);
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
        ...(amendment && { proposed_execpolicy_amendment: amendment }),
        // A rule runs commands without a sandbox, which is more than these permissions.
        ...(isEmpty(beyond) && amendment
          ? {
              available_decisions: [
                "approved",
                { approved_execpolicy_amendment: { proposed_execpolicy_amendment: amendment } },
                "abort",
              ],
            }
          : {
              available_decisions: ["approved", "abort"],
              ...(!isEmpty(beyond) && { additional_permissions: writePermissions(beyond) }),
            }),
        parsed_cmd: [...parseCommand(request.command)],
      });
      return await this.#apply(request, await decision);
    } finally {
      release();
    }
  }

  async #apply(request: Asked, decision: ReviewDecision | undefined): Promise<ExecAuthorization> {
    if (decision === "approved") return this.#run(request);
    if (decision === "approved_for_session") {
      this.#approvedForSession.add(sessionKey(request));
      return this.#run(request);
    }
    if (typeof decision === "object" && "approved_execpolicy_amendment" in decision) {
      await this.#allow(decision.approved_execpolicy_amendment.proposed_execpolicy_amendment, request.turn.id);
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

  async #allow(prefix: readonly string[], turnId: string): Promise<void> {
    this.options.runtime().untoldPrefixes.push(prefix);
    try {
      await this.options.rules.allow(prefix);
    } catch (error) {
      this.options.runtime().emit(turnId, {
        type: "warning",
        message: `the rule holds for this session only: it could not be written: ${(error as Error).message}`,
      });
    }
  }
}

/** Why the policy does not even let it be asked. */
function refusalOf(request: ExecAuthorizationRequest, policy: AskForApproval): string | undefined {
  const name = policyName(policy);
  if (request.escalated ? !mayAskToEscalate(policy) : request.additional !== undefined && policy === "never")
    return `approval policy is ${name}; reject command — you cannot ask for escalated permissions if the approval policy is ${name}`;
  if (request.additional !== undefined && policy !== "on-request")
    return `approval policy is ${name}; reject command — you cannot request additional permissions unless the approval policy is OnRequest`;
  return undefined;
}

function sessionKey({ command, escalated, additional, cwd }: ExecAuthorizationRequest): string {
  return JSON.stringify([command, escalated, additional, cwd]);
}
