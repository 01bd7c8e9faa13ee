/** The headers that the configuration gives to a server behind a URL. */
import type { McpTransportConfig } from "../config/mcp-config.js";
import { McpError } from "./errors.js";

type Environment = Readonly<Record<string, string | undefined>>;
type HttpTransport = Extract<McpTransportConfig, { readonly type: "http" }>;

/** @throws {McpError} the variable of the token is not set */
export function configuredHeaders(name: string, transport: HttpTransport, environment: Environment) {
  const headers: Record<string, string> = { ...transport.headers };
  for (const [header, variable] of Object.entries(transport.variableHeaders)) {
    const value = environment[variable];
    if (value !== undefined && value !== "") headers[header] = value;
  }
  if (transport.bearerTokenVariable !== undefined) {
    const token = environment[transport.bearerTokenVariable];
    if (token === undefined || token === "")
      throw new McpError(
        `Environment variable ${transport.bearerTokenVariable} for MCP server '${name}' is not set`,
        true,
      );
    headers.Authorization = `Bearer ${token}`;
  }
  return headers;
}

/** The configuration itself says who we are; nobody has to sign in. */
export function bringsToken({ bearerTokenVariable, headers, variableHeaders }: HttpTransport): boolean {
  const names = [...Object.keys(headers), ...Object.keys(variableHeaders)];
  return bearerTokenVariable !== undefined || names.some((name) => name.toLowerCase() === "authorization");
}
