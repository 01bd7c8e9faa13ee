/**
 * Whether the person is asked before a tool of an MCP server runs, and what was answered for longer than one call.
 * Owns these decisions; asking is the session's business.
 */
import type { AskForApproval, ThreadSettings } from "@turnkit/protocol";
import type { McpApprovalMode, McpServerConfig } from "../config/mcp-config.js";
import type { ElicitationAnswer, ElicitationRequest } from "./elicitation.js";
import type { McpToolInfo } from "./server-facts.js";

export type ApprovalVerdict =
  | { readonly type: "run" }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "ask"; readonly request: ElicitationRequest };

export const REJECTED = "user rejected MCP tool call";
const CANCELLED = "user cancelled MCP tool call";
const NEVER_ASKED = "MCP tool call requires approval, but approval policy is never";

export class ToolApprovals {
  readonly #approved = new Set<string>();

  constructor(
    /** Keeps that a tool need not be asked for again; absent: nothing is kept. */
    private readonly keep: ((server: string, tool: string) => Promise<void>) | undefined,
    private readonly warn: (message: string) => void,
  ) {}

  judge(
    server: string,
    config: McpServerConfig,
    tool: McpToolInfo,
    input: unknown,
    settings: ThreadSettings,
  ): ApprovalVerdict {
    const mode = config.toolApprovalModes[tool.name] ?? config.approvalMode;
    if (!needsApproval(mode, tool) || this.#approved.has(keyOf(server, tool.name))) return { type: "run" };
    const { approval_policy: policy, sandbox_policy: sandbox } = settings;
    if (mayAsk(policy)) return { type: "ask", request: question(server, tool, input) };
    // Who gave everything away is not asked for a part of it.
    const unconfined = sandbox.type === "danger-full-access" || sandbox.type === "external-sandbox";
    return unconfined && mode !== "prompt" ? { type: "run" } : { type: "refused", message: NEVER_ASKED };
  }

  /** undefined: it may run. */
  async settle(server: string, tool: string, answer: ElicitationAnswer): Promise<string | undefined> {
    if (answer.action === "decline") return REJECTED;
    if (answer.action === "cancel") return CANCELLED;
    const { persist } = (answer.meta ?? {}) as { readonly persist?: unknown };
    if (persist === "session" || persist === "always") this.#approved.add(keyOf(server, tool));
    if (persist === "always")
      await this.keep?.(server, tool).catch((error: unknown) =>
        this.warn(`The approval of ${server}/${tool} could not be kept: ${String((error as Error).message)}`),
      );
    return undefined;
  }
}

function keyOf(server: string, tool: string): string {
  return `${server}\0${tool}`;
}

/** What a server says of its tools is believed only where it asks for more care; see the protocol's defaults. */
function needsApproval(mode: McpApprovalMode, { annotations }: McpToolInfo): boolean {
  if (mode === "approve") return false;
  if (mode === "prompt") return true;
  if (annotations?.destructiveHint === true) return true;
  if (annotations?.readOnlyHint === true) return false;
  if (mode === "writes") return true;
  return (annotations?.destructiveHint ?? true) || (annotations?.openWorldHint ?? true);
}

/** Whether anybody is asked what an MCP server wants to know. */
export function mayAsk(policy: AskForApproval): boolean {
  return typeof policy === "string" ? policy !== "never" : policy.granular.mcp_elicitations;
}

function question(server: string, tool: McpToolInfo, input: unknown): ElicitationRequest {
  const title = tool.annotations?.title ?? tool.title;
  return {
    mode: "form",
    message: `Allow the ${server} MCP server to run tool "${tool.name}"?`,
    requestedSchema: { type: "object", properties: {} },
    meta: {
      codex_approval_kind: "mcp_tool_call",
      persist: ["session", "always"],
      ...(title !== undefined && { tool_title: title }),
      ...(tool.description !== undefined && { tool_description: tool.description }),
      tool_params: input,
      tool_params_display: Object.entries((input ?? {}) as Record<string, unknown>).map(([name, value]) => ({
        name,
        display_name: name,
        value,
      })),
    },
  };
}
