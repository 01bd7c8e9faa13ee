/** The command line of the server. Says what is wrong in one line; reads the files that hold secrets. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { isAbsolute, join } from "node:path";
import { parseArgs } from "node:util";
import type { Authorizer } from "../auth/authorizer.js";

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

/** A mistake on the command line: one line for a person. */
export class UsageError extends Error {
  override readonly name = "UsageError";
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
  "ws-auth": { type: "string" },
  "ws-token-file": { type: "string" },
  "ws-token-sha256": { type: "string" },
  "ws-shared-secret-file": { type: "string" },
  "ws-issuer": { type: "string" },
  "ws-audience": { type: "string" },
  "ws-max-clock-skew-seconds": { type: "string" },
} as const;

type Values = ReturnType<typeof parse>;

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: flags, allowPositionals: false, strict: true }).values;
}

/** @throws {UsageError} */
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
    throw new UsageError(
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

const tokenFlags = ["ws-token-file", "ws-token-sha256"] as const;
const signedFlags = ["ws-shared-secret-file", "ws-issuer", "ws-audience", "ws-max-clock-skew-seconds"] as const;

async function parseAuth(values: Values): Promise<Authorizer | undefined> {
  const mode = values["ws-auth"];
  const refuse = (names: readonly (keyof Values)[], needed: string) => {
    const given = names.find((name) => values[name] !== undefined);
    if (given) throw new UsageError(`--${given} requires \`--ws-auth ${needed}\``);
  };
  if (mode !== "capability-token") refuse(tokenFlags, "capability-token");
  if (mode !== "signed-bearer-token") refuse(signedFlags, "signed-bearer-token");
  if (mode === undefined) return undefined;
  if (mode === "capability-token") return capabilityToken(values);
  if (mode === "signed-bearer-token") return signedToken(values);
  throw new UsageError(`invalid value '${mode}' for '--ws-auth <MODE>': use capability-token or signed-bearer-token`);
}

/** Cryptography is loaded for servers that check tokens, not for every start. */
async function capabilityToken(values: Values): Promise<Authorizer> {
  const { capabilityTokenAuthorizer, sha256 } = await import("../auth/capability-token.js");
  const file = values["ws-token-file"];
  const hex = values["ws-token-sha256"];
  if ((file === undefined) === (hex === undefined)) {
    throw new UsageError("--ws-auth capability-token needs exactly one of --ws-token-file and --ws-token-sha256");
  }
  if (hex !== undefined) {
    if (!/^[0-9a-f]{64}$/i.test(hex)) throw new UsageError("--ws-token-sha256 must be 64 hexadecimal digits");
    return capabilityTokenAuthorizer(Buffer.from(hex, "hex"));
  }
  const token = readSecret("--ws-token-file", file as string)
    .toString("utf8")
    .trim();
  if (token === "") throw new UsageError(`--ws-token-file ${file} is empty`);
  return capabilityTokenAuthorizer(sha256(token));
}

async function signedToken(values: Values): Promise<Authorizer> {
  const { signedTokenAuthorizer } = await import("../auth/signed-bearer-token.js");
  const file = values["ws-shared-secret-file"];
  if (file === undefined) throw new UsageError("--ws-auth signed-bearer-token needs --ws-shared-secret-file");
  const secret = Buffer.from(readSecret("--ws-shared-secret-file", file).toString("utf8").trim());
  if (secret.length < 32) throw new UsageError("the shared secret must have at least 32 bytes");
  const skew = values["ws-max-clock-skew-seconds"] ?? "30";
  if (!/^\d{1,6}$/.test(skew)) throw new UsageError("--ws-max-clock-skew-seconds must be a whole number of seconds");
  return signedTokenAuthorizer({
    secret,
    issuer: values["ws-issuer"],
    audience: values["ws-audience"],
    maxClockSkewSeconds: Number(skew),
    nowSeconds: () => Math.floor(Date.now() / 1000),
  });
}

function readSecret(flag: string, path: string): Buffer {
  if (!isAbsolute(path)) throw new UsageError(`${flag} must be an absolute path: ${path}`);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${flag} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
