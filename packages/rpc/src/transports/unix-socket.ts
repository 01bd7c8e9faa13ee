/** A WebSocket server on a Unix socket that only its owner can open, and the client's URL for it. */
import { chmod, lstat, mkdir, unlink } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import {
  connectWebSocket,
  type ListeningServer,
  listenWebSocket,
  type WebSocketConnectOptions,
  type WebSocketServerOptions,
  type WebSocketTransport,
} from "./websocket.js";

/** Longest path the kernel takes for a Unix socket (Linux: 107 bytes and a NUL). */
const MAX_SOCKET_PATH_BYTES = 107;

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}

/** A socket file that nobody answers on is left over from a killed server: it is removed. Anything else stays. */
async function clearStaleSocket(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${socketPath} exists and is not a socket`);
  if (await answers(socketPath)) throw new Error(`${socketPath} is in use by a running server`);
  await unlink(socketPath);
}

/** Listens on a path with mode 0600; the folder is made with mode 0700 where it is missing. */
export async function listenUnixSocket(
  socketPath: string,
  options: Omit<WebSocketServerOptions, "host" | "port" | "socketPath">,
): Promise<ListeningServer> {
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`${socketPath} is longer than ${MAX_SOCKET_PATH_BYTES} bytes, the limit for a Unix socket`);
  await mkdir(path.dirname(socketPath), { recursive: true, mode: 0o700 });
  await clearStaleSocket(socketPath);
  const server = await listenWebSocket({ ...options, socketPath });
  await chmod(socketPath, 0o600);
  return server;
}

export function connectUnixSocket(
  socketPath: string,
  options: WebSocketConnectOptions = {},
): Promise<WebSocketTransport> {
  return connectWebSocket(`ws+unix://${socketPath}:/`, options);
}
