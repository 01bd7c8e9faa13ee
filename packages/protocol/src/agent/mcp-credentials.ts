/** `.credentials.json`: what was given to this program when the person signed in to MCP servers. Times in milliseconds. */
import { type Static, Type } from "typebox";
import { maybe, named, open, record } from "../define.js";

export const McpCredentialsEntry = open("McpCredentialsEntry", {
  server_name: Type.String(),
  server_url: Type.String(),
  /** The authorization server that gave the tokens. */
  issuer: maybe(Type.String()),
  client_id: Type.String(),
  /** Only of servers that give one to a client that asked for none. */
  client_secret: maybe(Type.String()),
  access_token: Type.String(),
  expires_at: maybe(Type.Integer()),
  refresh_token: maybe(Type.String()),
  scopes: maybe(Type.Array(Type.String())),
});
export type McpCredentialsEntry = Static<typeof McpCredentialsEntry>;

/** By server: its name and a digest of its address. */
export const McpCredentialsFile = named("McpCredentialsFile", record(McpCredentialsEntry));
export type McpCredentialsFile = Static<typeof McpCredentialsFile>;
