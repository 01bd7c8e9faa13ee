/** thread/read, lists of threads, turns and items, search. Changes nothing. */
import { RpcErrorCode } from "@turnkit/protocol";
import type { AppParams, Thread, ThreadItem, Turn } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import type { ThreadQuery, ThreadRecord } from "../ports.js";
import { uuidProblem } from "../threads/thread-id.js";
import { requireUuid } from "../threads/thread-manager.js";
import { toListed, toLoadedThread, toThread } from "../threads/thread-view.js";
import type { Handlers, ServerContext } from "./handler.js";
import { type Page, pageOf } from "./page.js";
import { readTurns, summarize } from "./turns.js";

export const readingHandlers: Handlers = {
  async "thread/read"({ threadId, includeTurns }, { server }) {
    requireUuid(threadId, "thread");
    const thread = server.threads.find(threadId);
    if (thread) {
      if (includeTurns) refuseUnreadable(threadId, thread, "includeTurns");
      return { thread: toLoadedThread(thread, includeTurns ? await readTurns(server, thread.record, thread) : []) };
    }
    const record = await (await server.host()).store.find(threadId);
    if (!record) throw new RpcError(RpcErrorCode.invalidRequest, `thread not loaded: ${threadId}`);
    const turns = includeTurns ? await readTurns(server, record) : [];
    return {
      thread: toThread(record, { status: { type: "notLoaded" }, turns, canAcceptDirectInput: null, ephemeral: false }),
    };
  },

  async "thread/list"(params, { server }) {
    const cwd = params.cwd ?? null;
    const records = await (await server.host()).store.list({
      ...order(params),
      archived: params.archived ?? false,
      cwds: cwd === null ? null : typeof cwd === "string" ? [cwd] : cwd,
      modelProviders: params.modelProviders?.length ? params.modelProviders : null,
      sources: params.sourceKinds?.length ? params.sourceKinds : null,
      searchTerm: params.searchTerm ?? null,
    });
    const narrowed =
      params.parentThreadId == null ? records : records.filter((row) => row.parentThreadId === params.parentThreadId);
    return listed(narrowed, params, server, (thread) => thread);
  },

  async "thread/search"(params, { server }) {
    const term = params.searchTerm.trim();
    if (term === "") throw new RpcError(RpcErrorCode.invalidRequest, "thread/search requires a non-empty searchTerm");
    const found = await (await server.host()).store.search(term, {
      ...order(params),
      archived: params.archived ?? false,
      cwds: null,
      modelProviders: null,
      sources: params.sourceKinds?.length ? params.sourceKinds : null,
      searchTerm: null,
    });
    const snippets = new Map(found.map(({ record, snippet }) => [record.id, snippet]));
    const records = found.map(({ record }) => record);
    return listed(records, params, server, (thread) => ({ thread, snippet: snippets.get(thread.id) ?? "" }));
  },

  "thread/loaded/list"({ cursor, limit }, { server }) {
    if (cursor != null && uuidProblem(cursor) !== null)
      throw new RpcError(RpcErrorCode.invalidRequest, `invalid cursor: ${cursor}`);
    const later = server.threads
      .ids()
      .sort()
      .filter((id) => cursor == null || id > cursor);
    const data = later.slice(0, Math.max(1, limit ?? later.length));
    return { data, nextCursor: data.length < later.length ? (data.at(-1) ?? null) : null };
  },

  async "thread/turns/list"(params, { server }) {
    const turns = await turnsOfThread(params.threadId, server, "thread/turns/list");
    const view = params.itemsView ?? "summary";
    const rows = params.sortDirection === "asc" ? turns : turns.reverse();
    const page = pageOf({
      rows,
      cursor: params.cursor,
      limit: params.limit,
      defaultLimit: 25,
      maxLimit: 100,
      cursorOf: ({ id }) => JSON.stringify({ turnId: id, includeAnchor: false }),
      backwardsCursorOf: ({ id }) => JSON.stringify({ turnId: id, includeAnchor: true }),
    });
    return { ...page, data: page.data.map((turn) => viewOf(turn, view)) };
  },

  async "thread/items/list"({ threadId, turnId, cursor, limit, sortDirection }, { server }) {
    const turns = await turnsOfThread(threadId, server, "thread/items/list");
    const entries = turns
      .filter(({ id }) => turnId == null || id === turnId)
      .flatMap(({ id, items }) => items.map((item) => ({ turnId: id, item })));
    return pageOf({
      rows: sortDirection === "desc" ? entries.reverse() : entries,
      cursor,
      limit,
      defaultLimit: 25,
      maxLimit: 100,
      cursorOf: ({ item }) => JSON.stringify({ itemId: item.id, includeAnchor: false }),
      backwardsCursorOf: ({ item }) => JSON.stringify({ itemId: item.id, includeAnchor: true }),
    });
  },
};

function viewOf(turn: Turn, view: "notLoaded" | "summary" | "full"): Turn {
  if (view === "full") return turn;
  return view === "summary" ? summarize(turn) : { ...turn, items: [] as ThreadItem[], itemsView: "notLoaded" };
}

async function turnsOfThread(threadId: string, server: ServerContext, what: string): Promise<Turn[]> {
  requireUuid(threadId, "thread");
  const thread = server.threads.find(threadId);
  if (thread) {
    refuseUnreadable(threadId, thread, what);
    return readTurns(server, thread.record, thread);
  }
  const record = await (await server.host()).store.find(threadId);
  if (!record) throw new RpcError(RpcErrorCode.invalidRequest, `thread not loaded: ${threadId}`);
  return readTurns(server, record);
}

function refuseUnreadable(
  threadId: string,
  { ephemeral, materialized }: { readonly ephemeral: boolean; readonly materialized: boolean },
  what: string,
): void {
  if (ephemeral) throw new RpcError(RpcErrorCode.invalidRequest, "ephemeral threads do not support includeTurns");
  if (materialized) return;
  throw new RpcError(
    RpcErrorCode.invalidRequest,
    `thread ${threadId} is not materialized yet; ${what} is unavailable before first user message`,
  );
}

type ListParams = AppParams<"thread/list"> | AppParams<"thread/search">;

function order(params: ListParams): Pick<ThreadQuery, "sortKey" | "ascending"> {
  const byUpdate = params.sortKey === "updated_at" || params.sortKey === "recency_at";
  return { sortKey: byUpdate ? "updatedAt" : "createdAt", ascending: params.sortDirection === "asc" };
}

function listed<Row>(
  records: readonly ThreadRecord[],
  params: ListParams,
  server: ServerContext,
  toRow: (thread: Thread) => Row,
): Page<Row> {
  const { sortKey } = order(params);
  const page = pageOf({
    rows: records,
    cursor: params.cursor,
    limit: params.limit,
    defaultLimit: 25,
    maxLimit: 100,
    cursorOf: (record) => `${isoTime(record[sortKey])}|${record.id}`,
    backwardsCursorOf: (record) => isoTime(record[sortKey]),
  });
  const rows = page.data.map((record) => {
    const loaded = server.threads.find(record.id);
    return toRow(toListed(record, loaded?.status ?? { type: "notLoaded" }));
  });
  return { ...page, data: rows };
}

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();
