/** What MCP servers do and ask, as clients are told; and their answers, as a session takes them. Pure. */
import type { ElicitationAnswer } from "@turnkit/core";
import type { EventOf } from "@turnkit/protocol";
import type { McpServerElicitationRequestResponse } from "@turnkit/protocol/app";
import type { Outcome } from "../server-requests.js";
import type { Effect } from "./effect.js";

export function startupStatus(
  threadId: string,
  { server, status, failure_reason: reason }: EventOf<"mcp_startup_update">,
) {
  return {
    threadId,
    name: server,
    status: status.state,
    error: status.state === "failed" ? status.error : null,
    failureReason: reason == null ? null : "reauthenticationRequired",
  };
}

export function askForElicitation(threadId: string, msg: EventOf<"elicitation_request">): Effect[] {
  const request = msg.request as Readonly<Record<string, unknown>>;
  const common = {
    threadId,
    turnId: msg.turn_id ?? null,
    serverName: msg.server_name,
    mode: request.mode,
    _meta: request._meta ?? null,
    message: request.message,
  };
  const params =
    request.mode === "url"
      ? { ...common, url: request.url, elicitationId: request.elicitation_id }
      : { ...common, requestedSchema: request.requested_schema };
  return [
    { kind: "status", change: "approvalRaised" },
    {
      kind: "ask",
      method: "mcpServer/elicitation/request",
      params,
      answer: { to: "elicitation", server: msg.server_name, id: msg.id },
    },
  ];
}

/** Whoever cannot answer has not agreed. */
export function elicitationAnswer(outcome: Outcome): ElicitationAnswer {
  if (outcome.kind !== "answered") return { action: "decline" };
  const { action, content, _meta } = outcome.result as McpServerElicitationRequestResponse;
  return { action, ...(content != null && { content }), ...(_meta != null && { meta: _meta }) };
}
