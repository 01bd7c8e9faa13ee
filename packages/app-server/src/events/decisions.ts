/** Translates what a client decided about an approval to the core's words. Pure. */
import type { ReviewDecision } from "@turnkit/protocol";
import type { CommandExecutionApprovalDecision } from "@turnkit/protocol/app";

/** null: the client failed to answer. */
export function clientDecision(decision: CommandExecutionApprovalDecision | null): ReviewDecision {
  if (decision === null) return { denied: { rejection: "approval request failed" } };
  switch (decision) {
    case "accept":
      return "approved";
    case "acceptForSession":
      return "approved_for_session";
    case "decline":
      return { denied: { rejection: "rejected by user" } };
    case "cancel":
      return "abort";
    default:
      return "acceptWithExecpolicyAmendment" in decision
        ? {
            approved_execpolicy_amendment: {
              proposed_execpolicy_amendment: decision.acceptWithExecpolicyAmendment.execpolicy_amendment,
            },
          }
        : {
            network_policy_amendment: {
              network_policy_amendment: decision.applyNetworkPolicyAmendment.network_policy_amendment,
            },
          };
  }
}
