/**
 * Whether commands may reach the network: asked once for each place, remembered for the session where the person says
 * so. A denial ends the command that asked. Owns what was decided; the proxy owns the sockets.
 */
import type { ReviewDecision } from "@turnkit/protocol";
import type { NetworkApproval, NetworkApprovals, ToolTurn } from "@turnkit/tools";
import type { Runtime } from "../session/runtime.js";
import type { NetworkProxy, NetworkTarget } from "./network-proxy.js";

const DEFAULT_DENIAL = "Network access was denied by the Codex sandbox network proxy.";

export interface SessionNetworkOptions {
  readonly runtime: () => Runtime;
  readonly proxy: NetworkProxy;
  /** The turn that runs now. */
  readonly activeTurnId: () => string | undefined;
  readonly abortTurn: (turnId: string) => void;
}

const SCHEMES: Readonly<Record<NetworkTarget["protocol"], string>> = {
  http: "http",
  https: "https",
  socks5Tcp: "socks5_tcp",
};
const keyOf = ({ protocol, host, port }: NetworkTarget) => `network#local#${SCHEMES[protocol]}#${host}#${port}`;
const shown = ({ protocol, host, port }: NetworkTarget) => `${SCHEMES[protocol]}://${host}:${port}`;

export class SessionNetworkApprovals implements NetworkApprovals {
  readonly #remembered = new Map<string, string | null>();
  readonly #asking = new Map<string, Promise<string | undefined>>();

  constructor(private readonly options: SessionNetworkOptions) {}

  register(turn: ToolTurn, callId: string): NetworkApproval {
    const registration = new Registration();
    const { env, dismiss } = this.options.proxy.admit(async (target) => {
      const denial = await this.#decide(target, turn, callId);
      if (denial !== undefined) registration.deny(denial);
      return denial;
    });
    registration.admitted(env, dismiss);
    return registration;
  }

  async #decide(target: NetworkTarget, turn: ToolTurn, callId: string): Promise<string | undefined> {
    const key = keyOf(target);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known ?? undefined;
    // One question for one place, however many requests wait for it.
    const asking = this.#asking.get(key) ?? this.#ask(target, turn, callId);
    this.#asking.set(key, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(key);
    }
  }

  async #ask(target: NetworkTarget, turn: ToolTurn, callId: string): Promise<string | undefined> {
    const runtime = this.options.runtime();
    const active = this.options.activeTurnId();
    if (active === undefined || runtime.settings.approval_policy === "never")
      return `Network access to "${shown(target)}" was blocked by policy.`;
    const release = runtime.parts.elicitations.hold();
    try {
      const id = keyOf(target);
      const decision = runtime.parts.approvals.register(id, active);
      runtime.emit(active, {
        type: "exec_approval_request",
        call_id: callId,
        approval_id: id,
        turn_id: active,
        started_at_ms: runtime.parts.clock.epochMs(),
        environment_id: "local",
        command: ["network-access", shown(target)],
        cwd: turn.cwd,
        reason: `${target.host} is not in the allowed_domains`,
        network_approval_context: { host: target.host, protocol: target.protocol },
        available_decisions: ["approved", "approved_for_session", "abort"],
        parsed_cmd: [],
      });
      return this.#apply(target, active, await decision);
    } finally {
      release();
    }
  }

  #apply(target: NetworkTarget, turnId: string, decision: ReviewDecision | undefined): string | undefined {
    if (decision === "approved") return undefined;
    if (decision === "approved_for_session") {
      this.#remembered.set(keyOf(target), null);
      return undefined;
    }
    if (typeof decision === "object" && "network_policy_amendment" in decision) {
      const allowed = decision.network_policy_amendment.network_policy_amendment.action === "allow";
      this.#remembered.set(keyOf(target), allowed ? null : DEFAULT_DENIAL);
      return allowed ? undefined : DEFAULT_DENIAL;
    }
    if (typeof decision === "object" && "denied" in decision) return decision.denied.rejection || "rejected by user";
    if (decision === "abort") {
      this.options.abortTurn(turnId);
      return "rejected by user";
    }
    return "network approval was cancelled before a decision was returned";
  }
}

class Registration implements NetworkApproval {
  denied: string | undefined;
  env: Readonly<Record<string, string>> = {};
  readonly #listeners = new Set<() => void>();
  #dismiss: () => void = () => {};

  admitted(env: Readonly<Record<string, string>>, dismiss: () => void): void {
    this.env = env;
    this.#dismiss = dismiss;
  }

  deny(reason: string): void {
    if (this.denied !== undefined) return;
    this.denied = reason;
    for (const listener of [...this.#listeners]) listener();
  }

  onDenied(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async finish(): Promise<string | undefined> {
    this.#dismiss();
    return this.denied;
  }
}
