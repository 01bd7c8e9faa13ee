/** What can go wrong with an MCP server, as a person and the model read it. */

/** A server did not start, or one of its calls came to no result. */
export class McpError extends Error {
  override readonly name = "McpError";
  constructor(
    message: string,
    /** The server wants somebody to sign in first. */
    readonly authenticationRequired = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Somebody must sign in, again or for the first time, before the server can be used. */
export class McpLoginError extends McpError {
  constructor(
    server: string,
    /** There was a sign-in, and it is good no longer. */
    readonly again: boolean,
    options?: ErrorOptions,
  ) {
    const what = again ? "requires OAuth reauthentication" : "is not logged in";
    super(`The ${server} MCP server ${what}. Run \`turnkit mcp login ${server}\`.`, true, options);
  }
}

/** The words of an error of the client library, in the form in which MCP errors are known. */
export function mcpErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  // The library puts its own words before those of the server.
  const coded = /^MCP error (-?\d+): ([\s\S]*)$/.exec(error.message);
  if (coded && typeof code === "number") {
    if (code === CONNECTION_CLOSED && coded[2] === "Connection closed") return "Transport closed";
    return `Mcp error: ${code}: ${coded[2]}`;
  }
  // `fetch` says why only in the cause.
  const { cause } = error;
  return error.message === "fetch failed" && cause instanceof Error
    ? `fetch failed: ${causeText(cause)}`
    : error.message;
}

function causeText(cause: Error & { readonly code?: unknown }): string {
  return cause.message !== "" ? cause.message : String(cause.code ?? cause.name);
}

const CONNECTION_CLOSED = -32000;
