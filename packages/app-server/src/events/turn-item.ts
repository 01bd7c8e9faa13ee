/**
 * Translates one core turn item (PascalCase tag, snake_case members) to the item clients see. Pure.
 * A kind this version does not know yields null: it is kept in the rollout but has no form for clients.
 */
import type { TurnItem } from "@turnkit/protocol";
import type { ThreadItem } from "@turnkit/protocol/app";
import { camelCase, camelKeys } from "./casing.js";
import { durationMs, nativePath, toCommandItem } from "./command-item.js";
import { toFileChangeItem } from "./file-change-item.js";
import { toClientInput } from "./user-input.js";

export function toThreadItem(item: TurnItem): ThreadItem | null {
  switch (item.type) {
    case "UserMessage":
      return {
        type: "userMessage",
        id: item.id,
        clientId: item.client_id ?? null,
        content: toClientInput(item.content),
      };
    case "HookPrompt":
      return {
        type: "hookPrompt",
        id: item.id,
        fragments: item.fragments.map(({ text, hookRunId }) => ({ text, hookRunId })),
      };
    case "AgentMessage":
      return {
        type: "agentMessage",
        id: item.id,
        text: item.content.map((part) => part.text).join(""),
        phase: item.phase ?? null,
        memoryCitation: null,
        delivery: null,
      };
    case "Plan":
      return { type: "plan", id: item.id, text: item.text };
    case "Reasoning":
      return {
        type: "reasoning",
        id: item.id,
        summary: [...item.summary_text],
        content: [...(item.raw_content ?? [])],
      };
    case "CommandExecution":
      return toCommandItem(item);
    case "FileChange":
      return toFileChangeItem(item.id, item.changes, item.status);
    case "McpToolCall":
      return {
        type: "mcpToolCall",
        id: item.id,
        server: item.server,
        tool: item.tool,
        status: camelCase(item.status) as "inProgress" | "completed" | "failed",
        arguments: item.arguments ?? null,
        appContext: null,
        pluginId: null,
        readOnlyHint: (item as { readOnlyHint?: boolean }).readOnlyHint ?? null,
        result: toMcpResult(item.result),
        error: item.error ?? null,
        durationMs: durationMs(item.duration),
      };
    case "DynamicToolCall":
      return {
        type: "dynamicToolCall",
        id: item.id,
        namespace: item.namespace ?? null,
        tool: item.tool,
        arguments: item.arguments ?? null,
        status: camelCase(item.status) as "inProgress" | "completed" | "failed",
        contentItems: (item.content_items as DynamicContent | null | undefined) ?? null,
        success: item.success ?? null,
        durationMs: durationMs(item.duration),
      };
    case "WebSearch":
      return {
        type: "webSearch",
        id: item.id,
        query: item.query,
        action: webSearchAction(item.action),
        results: null,
      };
    case "ImageView":
      return { type: "imageView", id: item.id, path: nativePath(item.path) };
    case "EnteredReviewMode":
      return { type: "enteredReviewMode", id: item.id, review: item.review ?? item.user_facing_hint ?? "" };
    case "ExitedReviewMode":
      return { type: "exitedReviewMode", id: item.id, review: item.review ?? "" };
    case "ContextCompaction":
      return { type: "contextCompaction", id: item.id };
    case "SubAgentActivity":
      return {
        type: "subAgentActivity",
        id: item.id,
        kind: item.kind as SubAgentKind,
        agentThreadId: item.agent_thread_id,
        agentPath: item.agent_path,
      };
    default:
      return null;
  }
}

type Shown<Type extends ThreadItem["type"]> = Extract<ThreadItem, { type: Type }>;
type DynamicContent = NonNullable<Shown<"dynamicToolCall">["contentItems"]>;
type SubAgentKind = Shown<"subAgentActivity">["kind"];

type McpResult = NonNullable<Shown<"mcpToolCall">["result"]>;
type WebSearchAction = NonNullable<Shown<"webSearch">["action"]>;

function toMcpResult(result: unknown): McpResult | null {
  if (typeof result !== "object" || result === null) return null;
  return { content: [], structuredContent: null, _meta: null, ...result };
}

function webSearchAction(action: unknown): WebSearchAction | null {
  if (typeof action !== "object" || action === null || !("type" in action)) return null;
  const members = camelKeys(action) as Record<string, unknown>;
  return { ...members, type: camelCase(String(action.type)) } as WebSearchAction;
}
