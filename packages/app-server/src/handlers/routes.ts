/** Which module answers which method. Modules are loaded with the first request that needs them. */
import { RpcErrorCode } from "@turnkit/protocol";
import type { AppClientRequest } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";
import type { HandlerContext, Handlers } from "./handler.js";

type AnyHandler = (params: never, context: HandlerContext) => unknown;

const modules = {
  opening: () => import("./thread-opening.js").then((module) => module.openingHandlers),
  reading: () => import("./thread-reading.js").then((module) => module.readingHandlers),
  changes: () => import("./thread-changes.js").then((module) => module.changeHandlers),
  queue: () => import("./thread-queue.js").then((module) => module.queueHandlers),
  turn: () => import("./turn.js").then((module) => module.turnHandlers),
  config: () => import("./config.js").then((module) => module.configHandlers),
  catalogue: () => import("./catalogue.js").then((module) => module.catalogueHandlers),
  files: () => import("./file-search.js").then((module) => module.fileSearchHandlers),
  mcp: () => import("./mcp.js").then((module) => module.mcpHandlers),
  mcpLogin: () => import("./mcp-login.js").then((module) => module.mcpLoginHandlers),
  fs: () => import("./fs.js").then((module) => module.fsHandlers),
  server: () => import("./server.js").then((module) => module.serverHandlers),
} satisfies Record<string, () => Promise<Handlers>>;

const routes: { readonly [Method in AppClientRequest]?: keyof typeof modules } = {
  "thread/start": "opening",
  "thread/resume": "opening",
  "thread/fork": "opening",
  "thread/unsubscribe": "opening",
  "thread/read": "reading",
  "thread/list": "reading",
  "thread/loaded/list": "reading",
  "thread/turns/list": "reading",
  "thread/items/list": "reading",
  "thread/search": "reading",
  "thread/name/set": "changes",
  "thread/archive": "changes",
  "thread/unarchive": "changes",
  "thread/delete": "changes",
  "thread/compact/start": "changes",
  "thread/shellCommand": "changes",
  "thread/inject_items": "changes",
  "thread/rollback": "changes",
  "thread/settings/update": "changes",
  "thread/metadata/update": "changes",
  "thread/backgroundTerminals/list": "changes",
  "thread/backgroundTerminals/terminate": "changes",
  "thread/backgroundTerminals/clean": "changes",
  "thread/increment_elicitation": "changes",
  "thread/decrement_elicitation": "changes",
  "thread/queue/add": "queue",
  "thread/queue/list": "queue",
  "thread/queue/update": "queue",
  "thread/queue/delete": "queue",
  "thread/queue/reorder": "queue",
  "thread/queue/start": "queue",
  "turn/start": "turn",
  "turn/steer": "turn",
  "turn/interrupt": "turn",
  "config/read": "config",
  "configRequirements/read": "config",
  "model/list": "catalogue",
  "modelProvider/capabilities/read": "catalogue",
  "collaborationMode/list": "catalogue",
  "experimentalFeature/list": "catalogue",
  "permissionProfile/list": "catalogue",
  "skills/list": "catalogue",
  "hooks/list": "catalogue",
  "plugin/list": "catalogue",
  "mcpServer/oauth/login": "mcpLogin",
  "config/mcpServer/reload": "mcp",
  "mcpServer/resource/read": "mcp",
  "mcpServer/tool/call": "mcp",
  "mcpServerStatus/list": "mcp",
  "account/read": "catalogue",
  "fs/readFile": "fs",
  "fs/writeFile": "fs",
  "fs/createDirectory": "fs",
  "fs/getMetadata": "fs",
  "fs/readDirectory": "fs",
  "fs/remove": "fs",
  "fs/copy": "fs",
  "fs/watch": "fs",
  "fs/unwatch": "fs",
  fuzzyFileSearch: "files",
  "server/diagnostics": "server",
  "environment/add": "server",
  "environment/info": "server",
  "environment/status": "server",
};

const loaded = new Map<string, AnyHandler>();

/** @throws {RpcError} −32601: a method of the protocol that this server does not offer */
export async function loadHandler(method: string): Promise<AnyHandler> {
  const ready = loaded.get(method);
  if (ready) return ready;
  const module = routes[method as AppClientRequest];
  const handler = module && ((await modules[module]()) as Record<string, AnyHandler | undefined>)[method];
  if (!handler) throw new RpcError(RpcErrorCode.methodNotFound, `${method} is not supported by this server`);
  loaded.set(method, handler);
  return handler;
}
