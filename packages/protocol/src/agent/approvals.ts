/** Decisions about requests for approval. */
import { type Static, Type } from "typebox";
import { anyOf, literals, named, open, shape, stringEnum, wrapped } from "../define.js";

export const NetworkPolicyRuleAction = stringEnum("NetworkPolicyRuleAction", ["allow", "deny"]);
export type NetworkPolicyRuleAction = Static<typeof NetworkPolicyRuleAction>;

export const NetworkPolicyAmendment = open("NetworkPolicyAmendment", {
  host: Type.String(),
  action: NetworkPolicyRuleAction,
});
export type NetworkPolicyAmendment = Static<typeof NetworkPolicyAmendment>;

export const NetworkApprovalProtocol = stringEnum("NetworkApprovalProtocol", [
  "http",
  "https",
  "socks5Tcp",
  "socks5Udp",
]);
export type NetworkApprovalProtocol = Static<typeof NetworkApprovalProtocol>;

export const NetworkApprovalContext = open("NetworkApprovalContext", {
  host: Type.String(),
  protocol: NetworkApprovalProtocol,
});
export type NetworkApprovalContext = Static<typeof NetworkApprovalContext>;

/** `abort` refuses and ends the turn; `denied` refuses and lets the agent go on. */
export const ReviewDecision = named(
  "ReviewDecision",
  anyOf([
    literals(["approved", "approved_for_session", "approved_mcp_policy_amendment", "timed_out", "abort"]),
    wrapped("approved_execpolicy_amendment", shape({ proposed_execpolicy_amendment: Type.Array(Type.String()) })),
    wrapped("network_policy_amendment", shape({ network_policy_amendment: NetworkPolicyAmendment })),
    wrapped("denied", shape({ rejection: Type.String() })),
  ]),
);
export type ReviewDecision = Static<typeof ReviewDecision>;
