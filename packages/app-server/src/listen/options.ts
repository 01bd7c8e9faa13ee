/** The command line of the server. Says what is wrong in one line. */
import { isIP } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Authorizer } from "../auth/authorizer.js";
import { authFlags, parseAuth } from "./auth-options.js";
import { StartRefusedError, UsageError } from "./errors.js";

export type Endpoint =
  | { readonly kind: "stdio" }
  | { readonly kind: "off" }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "websocket"; readonly host: string; readonly port: number };

export interface ListenOptions {
  readonly endpoint: Endpoint;
  readonly authorize: Authorizer | undefined;
  readonly allowedOrigins: readonly string[];
  /** `-c key=value`, `--enable` and `--disable`, in order. */
  readonly overrides: readonly string[];
}

const flags = {
  listen: { type: "string" },
  stdio: { type: "boolean" },
  "allow-origin": { type: "string", multiple: true },
  config: { type: "string", short: "c", multiple: true },
  enable: { type: "string", multiple: true },
  disable: { type: "string", multiple: true },
  "strict-config": { type: "boolean" },
  "analytics-default-enabled": { type: "boolean" },
  ...authFlags,
} as const;

type Values = ReturnType<typeof parse>;

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: flags, allowPositionals: false, strict: true }).values;
}

/** @throws {UsageError} @throws {StartRefusedError} */
export async function parseListenOptions(argv: readonly string[], home: string): Promise<ListenOptions> {
  let values: Values;
  try {
    values = parse(argv);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (values.stdio && values.listen !== undefined) throw new UsageError("--stdio cannot be combined with --listen");
  const endpoint = parseEndpoint(values.listen ?? "stdio://", home);
  const authorize = await parseAuth(values);
  if (endpoint.kind === "websocket" && !isLoopback(endpoint.host) && !authorize) {
    const address = endpoint.host.includes(":") ? `[${endpoint.host}]` : endpoint.host;
    throw new StartRefusedError(
      `refusing to start non-loopback websocket listener ${address}:${endpoint.port} without auth; configure \`--ws-auth capability-token\` or \`--ws-auth signed-bearer-token\``,
    );
  }
  return {
    endpoint,
    authorize,
    allowedOrigins: values["allow-origin"] ?? [],
    overrides: [
      ...(values.config ?? []),
      ...(values.enable ?? []).map((feature) => `features.${feature}=true`),
      ...(values.disable ?? []).map((feature) => `features.${feature}=false`),
    ],
  };
}

function parseEndpoint(url: string, home: string): Endpoint {
  if (url === "stdio://") return { kind: "stdio" };
  if (url === "off") return { kind: "off" };
  if (url.startsWith("unix://")) {
    const path = url.slice("unix://".length);
    return { kind: "unix", path: path === "" ? join(home, "app-server-control", "app-server-control.sock") : path };
  }
  const match = /^ws:\/\/(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(url);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (!host || isIP(host) === 0 || port > 65_535) {
    throw new UsageError(
      `unsupported --listen URL \`${url}\`; expected \`stdio://\`, \`unix://\`, \`unix://PATH\`, \`ws://IP:PORT\` or \`off\``,
    );
  }
  return { kind: "websocket", host, port };
}

function isLoopback(host: string): boolean {
  return host === "::1" || /^127\./.test(host) || /^::ffff:127\./i.test(host);
}
