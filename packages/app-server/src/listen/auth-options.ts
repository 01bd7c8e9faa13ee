/** The `--ws-…` options: who may connect. Reads the files that hold secrets; conditions and words are the reference's. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Authorizer } from "../auth/authorizer.js";
import { StartRefusedError, UsageError } from "./errors.js";

export const authFlags = {
  "ws-auth": { type: "string" },
  "ws-token-file": { type: "string" },
  "ws-token-sha256": { type: "string" },
  "ws-shared-secret-file": { type: "string" },
  "ws-issuer": { type: "string" },
  "ws-audience": { type: "string" },
  "ws-max-clock-skew-seconds": { type: "string" },
} as const;

export type AuthValues = { readonly [Flag in keyof typeof authFlags]?: string | undefined };

const tokenFlags = ["ws-token-file", "ws-token-sha256"] as const;
const signedFlags = ["ws-shared-secret-file", "ws-issuer", "ws-audience", "ws-max-clock-skew-seconds"] as const;
const defaultSkewSeconds = "30";

/** undefined: everyone may. @throws {UsageError} @throws {StartRefusedError} */
export async function parseAuth(values: AuthValues): Promise<Authorizer | undefined> {
  const mode = values["ws-auth"];
  const given = (names: readonly (keyof AuthValues)[]) => names.some((name) => values[name] !== undefined);
  switch (mode) {
    case undefined:
      if (!given([...tokenFlags, ...signedFlags])) return undefined;
      throw new StartRefusedError(
        "websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`",
      );
    case "capability-token":
      if (!given(signedFlags)) return capabilityToken(values);
      throw new StartRefusedError(
        "`--ws-shared-secret-file`, `--ws-issuer`, `--ws-audience`, and `--ws-max-clock-skew-seconds` require `--ws-auth signed-bearer-token`",
      );
    case "signed-bearer-token":
      if (!given(tokenFlags)) return signedToken(values);
      throw new StartRefusedError(
        "`--ws-token-file` and `--ws-token-sha256` require `--ws-auth capability-token`, not `signed-bearer-token`",
      );
    default:
      throw new UsageError(
        `invalid value '${mode}' for '--ws-auth <MODE>': use capability-token or signed-bearer-token`,
      );
  }
}

/** Cryptography is loaded for servers that check tokens, not for every start. */
async function capabilityToken(values: AuthValues): Promise<Authorizer> {
  const { capabilityTokenAuthorizer, sha256 } = await import("../auth/capability-token.js");
  const file = values["ws-token-file"];
  const hex = values["ws-token-sha256"];
  if (file !== undefined && hex !== undefined) {
    throw new StartRefusedError("`--ws-token-file` and `--ws-token-sha256` are mutually exclusive");
  }
  if (hex !== undefined) {
    if (!/^[0-9a-f]{64}$/i.test(hex)) {
      throw new StartRefusedError("--ws-token-sha256 must be a 64-character hex SHA-256 digest");
    }
    return capabilityTokenAuthorizer(Buffer.from(hex, "hex"));
  }
  if (file === undefined) {
    throw new StartRefusedError(
      "`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set",
    );
  }
  return capabilityTokenAuthorizer(sha256(readSecret(file)));
}

async function signedToken(values: AuthValues): Promise<Authorizer> {
  const { signedTokenAuthorizer } = await import("../auth/signed-bearer-token.js");
  const file = values["ws-shared-secret-file"];
  if (file === undefined) {
    throw new StartRefusedError("`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set");
  }
  const secret = Buffer.from(readSecret(file));
  if (secret.length < 32) {
    throw new StartRefusedError(`signed websocket bearer secret ${resolve(file)} must be at least 32 bytes`);
  }
  const skew = values["ws-max-clock-skew-seconds"] ?? defaultSkewSeconds;
  if (!/^\d{1,15}$/.test(skew)) throw new UsageError("--ws-max-clock-skew-seconds must be a whole number of seconds");
  return signedTokenAuthorizer({
    secret,
    issuer: named(values["ws-issuer"]),
    audience: named(values["ws-audience"]),
    maxClockSkewSeconds: Number(skew),
    nowSeconds: () => Math.floor(Date.now() / 1000),
  });
}

/** Only space stands for nothing: the claim is not looked at. */
function named(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

function readSecret(file: string): string {
  const path = resolve(file);
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new StartRefusedError(
      `failed to read websocket auth secret ${path}: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (secret === "") throw new StartRefusedError(`websocket auth secret ${path} must not be empty`);
  return secret;
}
