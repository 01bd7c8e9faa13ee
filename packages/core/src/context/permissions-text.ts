/** What the model is told about what it may do. Our own words; the tags follow the reference. */
import type { AskForApproval, SandboxPolicy } from "@turnkit/protocol";

function sandboxText(policy: SandboxPolicy): string {
  switch (policy.type) {
    case "danger-full-access":
      return "Commands run without a sandbox: they can read and write every file the user can, and use the network.";
    case "read-only":
      return `Commands run in a sandbox that can read files and write none. Network access is ${policy.network_access === true ? "open" : "closed"}.`;
    case "workspace-write": {
      const roots = policy.writable_roots ?? [];
      const extra = roots.length > 0 ? `, and in ${roots.join(", ")}` : "";
      return `Commands run in a sandbox that can read files and write only in the working folder${extra}, and in temporary folders. Network access is ${policy.network_access === true ? "open" : "closed"}.`;
    }
    case "external-sandbox":
      return "The whole program runs in a sandbox that somebody else set up; commands are not confined further.";
  }
}

function approvalText(policy: AskForApproval): string {
  if (policy === "never")
    return "The user is never asked for approval. Do not request escalated permissions; find another way, or report what stopped you.";
  if (policy === "on-request")
    return "When a command has to leave the sandbox, call exec_command with sandbox_permissions `require_escalated` and a justification: one sentence that asks the user. They may refuse.";
  if (policy === "untrusted") return "The user is asked before commands that are not known to be harmless.";
  return "Which requests for approval reach the user is configured; a request that does not is refused.";
}

export function permissionsText(sandbox: SandboxPolicy, approval: AskForApproval): string {
  return `<permissions instructions>\n${sandboxText(sandbox)}\n${approvalText(approval)}\n</permissions instructions>`;
}
