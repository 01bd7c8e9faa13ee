/** Watches that clients hold on files and folders. They end with their connection. */

import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { join } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";
import type { Connection } from "../connection/connection.js";

interface Watch {
  readonly watcher: FSWatcher;
  readonly changed: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

const watches = new WeakMap<Connection, Map<string, Watch>>();
/** Changes that come close together are told once. */
const quietMs = 200;

export function watchPath(connection: Connection, watchId: string, path: string): void {
  const held = watches.get(connection) ?? new Map<string, Watch>();
  if (!watches.has(connection)) {
    watches.set(connection, held);
    connection.onceClosed(() => {
      for (const id of [...held.keys()]) unwatch(connection, id);
    });
  }
  if (held.has(watchId)) throw new RpcError(RpcErrorCode.invalidRequest, `watchId already exists: ${watchId}`);
  if (!existsSync(path)) throw new RpcError(RpcErrorCode.invalidRequest, `no such file or folder: ${path}`);
  const watcher = watch(path, { persistent: false });
  const entry: Watch = { watcher, changed: new Set(), timer: undefined };
  const file = statSync(path).isFile();
  watcher.on("change", (_event, name) => {
    // A watched file reports its own base name.
    entry.changed.add(file || typeof name !== "string" ? path : join(path, name));
    entry.timer ??= setTimeout(() => {
      entry.timer = undefined;
      const changedPaths = [...entry.changed].sort();
      entry.changed.clear();
      connection.notify("fs/changed", { watchId, changedPaths });
    }, quietMs).unref();
  });
  watcher.on("error", () => unwatch(connection, watchId));
  held.set(watchId, entry);
}

export function unwatch(connection: Connection, watchId: string): void {
  const held = watches.get(connection);
  const entry = held?.get(watchId);
  if (!entry) return;
  clearTimeout(entry.timer);
  entry.watcher.close();
  held?.delete(watchId);
}
