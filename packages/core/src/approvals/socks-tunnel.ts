/**
 * SOCKS 5 (RFC 1928, with the names of RFC 1929) on one socket, as far as a proxy needs it: who asks, where to, and the
 * bytes afterwards. CONNECT only. Owns the handshake; what is allowed is its user's.
 */
import { isIP, connect as openConnection, type Socket } from "node:net";

export interface SocksUser {
  /** undefined: nobody has this name. */
  decide(name: string, host: string, port: number): Promise<string | undefined> | undefined;
  /** Called with each socket that is opened onward. */
  opened(socket: Socket): void;
}

const VERSION = 5;
const BY_NAME = 2;
const NO_METHOD = 0xff;
const CONNECT = 1;
const REPLY = { ok: 0, forbidden: 2, unreachable: 4, command: 7, addressType: 8 } as const;

/** Serves one client until the tunnel stands or is refused. */
export async function serveSocks(client: Socket, user: SocksUser): Promise<void> {
  const reader = new SocketReader(client);
  const reply = (code: number) => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  const [version, methods] = await reader.bytes(2);
  const offered = await reader.bytes(methods ?? 0);
  if (version !== VERSION || !offered.includes(BY_NAME)) {
    client.end(Buffer.from([VERSION, NO_METHOD]));
    return;
  }
  client.write(Buffer.from([VERSION, BY_NAME]));
  await reader.bytes(1);
  const name = (await reader.counted()).toString("utf8");
  await reader.counted();
  client.write(Buffer.from([1, 0]));
  const [, command, , type] = await reader.bytes(4);
  const host = await readHost(reader, type ?? 0);
  if (host === undefined) {
    client.end(reply(REPLY.addressType));
    return;
  }
  const port = (await reader.bytes(2)).readUInt16BE(0);
  if (command !== CONNECT) {
    client.end(reply(REPLY.command));
    return;
  }
  const asked = user.decide(name, host, port);
  if (asked === undefined || (await asked) !== undefined) {
    client.end(reply(REPLY.forbidden));
    return;
  }
  if (client.destroyed) return;
  const onward = openConnection(port, host);
  user.opened(onward);
  onward.once("error", () => client.end(reply(REPLY.unreachable)));
  client.once("close", () => onward.destroy());
  onward.once("connect", () => {
    client.write(reply(REPLY.ok));
    reader.release();
    onward.pipe(client);
    client.pipe(onward);
  });
}

/** An address of version 4 or 6, or a name; undefined for a type that is not known. */
async function readHost(reader: SocketReader, type: number): Promise<string | undefined> {
  if (type === 1) return [...(await reader.bytes(4))].join(".");
  if (type === 3) {
    const name = (await reader.counted()).toString("latin1").toLowerCase();
    return name === ""
      ? undefined
      : name.replace(/^\[(.*)\]$/, (whole, inner: string) => (isIP(inner) ? inner : whole));
  }
  if (type !== 4) return undefined;
  const bytes = await reader.bytes(16);
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":");
}

/** Exact numbers of bytes from a socket that is paused in between. */
class SocketReader {
  #held = Buffer.alloc(0);

  constructor(private readonly socket: Socket) {
    socket.pause();
  }

  /** @throws {Error} the socket ended before */
  async bytes(count: number): Promise<Buffer> {
    while (this.#held.length < count) this.#held = Buffer.concat([this.#held, await this.#chunk()]);
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  /** As many as the first of them says. */
  async counted(): Promise<Buffer> {
    const [count] = await this.bytes(1);
    return await this.bytes(count ?? 0);
  }

  /** Gives back what was read too much. */
  release(): void {
    if (this.#held.length > 0) this.socket.unshift(this.#held);
  }

  #chunk(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.socket.pause();
        this.socket.off("data", onData).off("close", onClose).off("end", onClose);
      };
      const onData = (data: Buffer) => {
        done();
        resolve(data);
      };
      const onClose = () => {
        done();
        reject(new Error("the client left during the handshake"));
      };
      this.socket.on("data", onData).on("close", onClose).on("end", onClose).resume();
    });
  }
}
