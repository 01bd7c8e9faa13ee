/** The configuration as clients read it. */
import type { AppResult } from "@turnkit/protocol/app";
import type { Handlers } from "./handler.js";

type ClientConfig = AppResult<"config/read">["config"];

/** Members that clients expect to be present, null where the configuration does not say. */
const expected = [
  "model",
  "review_model",
  "model_context_window",
  "model_auto_compact_token_limit",
  "model_provider",
  "approval_policy",
  "approvals_reviewer",
  "sandbox_mode",
  "sandbox_workspace_write",
  "web_search",
  "tools",
  "instructions",
  "developer_instructions",
  "compact_prompt",
  "model_reasoning_effort",
  "model_reasoning_summary",
  "model_verbosity",
  "service_tier",
  "analytics",
] as const;

export const configHandlers: Handlers = {
  async "config/read"({ cwd, includeLayers }, { server }) {
    const config = await (await server.host()).catalogue.config(cwd ?? null);
    const absent = Object.fromEntries(expected.map((key) => [key, null]));
    return { config: { ...absent, ...config } as ClientConfig, origins: {}, ...(includeLayers && { layers: [] }) };
  },

  "configRequirements/read"() {
    return { requirements: null };
  },
};
