/** Lists that clients show: models, modes, features, skills, hooks, plugins, and who is signed in. */
import { PERMISSION_PROFILES } from "@turnkit/core/config";
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";
import type { Handlers } from "./handler.js";

export const catalogueHandlers: Handlers = {
  async "model/list"({ cursor, limit, includeHidden }, { server }) {
    const models = await (await server.host()).catalogue.models();
    return numbered(
      models.filter((model) => includeHidden || !model.hidden),
      cursor,
      limit,
      "models",
    );
  },

  "modelProvider/capabilities/read"() {
    return { namespaceTools: false, imageGeneration: false, webSearch: false };
  },

  "collaborationMode/list"() {
    return {
      data: [
        { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
        { name: "Default", mode: "default", model: null, reasoning_effort: null },
      ],
    };
  },

  "permissionProfile/list"({ cursor, limit }) {
    const profiles = PERMISSION_PROFILES.map((id) => ({ id, description: null, allowed: true }));
    return numbered(profiles, cursor, limit, "permission profiles");
  },

  async "experimentalFeature/list"({ cursor, limit, threadId }, { server }) {
    if (threadId != null) server.threads.get(threadId);
    return numbered(await (await server.host()).catalogue.features(), cursor, limit, "feature flags");
  },

  async "skills/list"({ cwds }, { server }) {
    const { catalogue } = await server.host();
    return { data: await Promise.all(foldersOf(cwds).map((cwd) => catalogue.skills(cwd))) };
  },

  async "hooks/list"({ cwds }, { server }) {
    const { catalogue } = await server.host();
    return { data: await Promise.all(foldersOf(cwds).map((cwd) => catalogue.hooks(cwd))) };
  },

  async "plugin/list"({ cwds }, { server }) {
    return (await server.host()).catalogue.plugins(cwds ?? []);
  },

  "mcpServerStatus/list"() {
    return { data: [], nextCursor: null };
  },

  async "account/read"(_params, { server }) {
    return (await server.host()).catalogue.account();
  },
};

function foldersOf(cwds: readonly string[] | undefined): readonly string[] {
  return cwds?.length ? cwds : [process.cwd()];
}

/** Pages whose cursor is the number of rows before the next one. */
export function numbered<Row>(
  rows: readonly Row[],
  cursor: string | null | undefined,
  limit: number | null | undefined,
  what: string,
) {
  if (cursor != null && !/^\d{1,9}$/.test(cursor))
    throw new RpcError(RpcErrorCode.invalidRequest, `invalid cursor: ${cursor}`);
  const start = Number(cursor ?? 0);
  if (start > rows.length)
    throw new RpcError(RpcErrorCode.invalidRequest, `cursor ${start} exceeds total ${what} ${rows.length}`);
  const end = Math.min(rows.length, start + Math.max(1, limit ?? Math.max(1, rows.length)));
  return { data: rows.slice(start, end), nextCursor: end < rows.length ? String(end) : null };
}
