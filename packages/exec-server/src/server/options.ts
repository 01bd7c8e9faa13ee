/** The command line of `turnkit exec-server`. Owns reading and refusing it; starts nothing. */
import { isIP } from "node:net";

export type Listen =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "stdio" };

export interface ExecServerOptions {
  readonly listen: Listen;
  readonly concurrentRequests: number;
  readonly authTokenFile: string | undefined;
}

/** A command line that cannot be used; `exitCode` is 2 for its form, 1 for a value. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    message: string,
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}

export const USAGE = `Usage: turnkit exec-server [OPTIONS]

Runs processes for a client on this machine.

Options:
  --listen <URL>               ws://IP:PORT, unix:///PATH or stdio [default: ws://127.0.0.1:0]
  --concurrent-requests <COUNT>  requests of one connection that run at once [default: 1]
  --auth-token-file <FILE>     require the token in FILE as "Authorization: Bearer TOKEN";
                               needed to listen on an address other than loopback
  -h, --help                   show this text
`;

const VALUED = ["--listen", "--concurrent-requests", "--auth-token-file"] as const;
type Valued = (typeof VALUED)[number];

/** undefined: help was asked for. @throws {UsageError} */
export function parseOptions(argv: readonly string[]): ExecServerOptions | undefined {
  const values = new Map<Valued, string>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "-h" || word === "--help") return undefined;
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const known = VALUED.find((option) => option === name);
    if (!known) throw formError(`unexpected argument '${word}' found`);
    const value = equals < 0 ? argv[++index] : word.slice(equals + 1);
    if (value === undefined) throw formError(`a value is required for '${name}' but none was supplied`);
    values.set(known, value);
  }
  return {
    listen: parseListen(values.get("--listen") ?? "ws://127.0.0.1:0"),
    concurrentRequests: parseCount(values.get("--concurrent-requests") ?? "1"),
    authTokenFile: values.get("--auth-token-file"),
  };
}

function formError(message: string): UsageError {
  return new UsageError(`error: ${message}\n\nFor more information, try '--help'.`, 2);
}

function parseCount(text: string): number {
  const refuse = (why: string) => formError(`invalid value '${text}' for '--concurrent-requests <COUNT>': ${why}`);
  if (text.startsWith("-")) throw formError(`unexpected argument '${text}' found`);
  if (!/^\d+$/.test(text)) throw refuse("invalid digit found in string");
  const count = Number(text);
  if (count === 0) throw refuse("number would be zero for non-zero type");
  if (!Number.isSafeInteger(count)) throw refuse("number too large to fit in target type");
  return count;
}

function parseListen(url: string): Listen {
  if (url === "stdio" || url === "stdio://") return { kind: "stdio" };
  if (url.startsWith("unix://") && url.length > "unix://".length && url["unix://".length] === "/") {
    return { kind: "unix", path: url.slice("unix://".length) };
  }
  if (!url.startsWith("ws://")) {
    throw new UsageError(
      `Error: unsupported --listen URL \`${url}\`; expected \`ws://IP:PORT\`, \`unix:///PATH\` or \`stdio\``,
      1,
    );
  }
  const match = /^ws:\/\/(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(url);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || isIP(host) === 0 || port > 65535) {
    throw new UsageError(`Error: invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``, 1);
  }
  return { kind: "tcp", host, port };
}

export function isLoopback(host: string): boolean {
  return host === "::1" || /^127\./.test(host) || /^::ffff:127\./i.test(host);
}
