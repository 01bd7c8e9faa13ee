/** How one server is signed in to, found out without starting it. */
import type { McpServerConfig } from "../../config/mcp-config.js";
import { bringsToken, configuredHeaders } from "../http-headers.js";
import type { McpAuth } from "../server-facts.js";
import { CredentialsFile, isExpired } from "./credentials-file.js";

export interface AuthStatusOptions {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Asks the server itself only where nothing is stored or configured. @throws {McpError} the file cannot be read */
export async function mcpAuthStatus(
  name: string,
  { transport, enabled }: McpServerConfig,
  { home, environment }: AuthStatusOptions,
): Promise<McpAuth> {
  if (transport.type === "stdio") return "unsupported";
  if (bringsToken(transport)) return "bearerToken";
  if (await hasSignedIn(home, name, transport.url)) return "oAuth";
  if (!enabled) return "unknown";
  const { findSignIn } = await import("./sign-in-place.js");
  try {
    const headers = configuredHeaders(name, transport, environment);
    return (await findSignIn({ url: transport.url, headers })) ? "notLoggedIn" : "unsupported";
  } catch {
    return "unknown";
  }
}

/** Tokens are stored that are good or can be renewed. @throws {McpError} the file cannot be read */
export async function hasSignedIn(home: string, name: string, url: string): Promise<boolean> {
  const entry = await new CredentialsFile(home).find(name, url);
  return entry !== undefined && (!isExpired(entry) || entry.refresh_token != null);
}
