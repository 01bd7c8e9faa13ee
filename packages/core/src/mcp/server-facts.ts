/** What is known of an MCP server and of its tools. Types only; values are as the server sent them. */

export interface McpToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

export interface McpCallResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
  readonly _meta?: unknown;
}

export type McpServerState =
  | { readonly state: "notStarted" | "starting" | "connected" | "cancelled" | "disabled" }
  | {
      readonly state: "failed";
      readonly error: string;
      readonly authenticationRequired: boolean;
      /** Somebody had signed in, and that is good no longer. */
      readonly loginExpired: boolean;
    };

/** How a server is signed in to. `unknown`: it could not be asked. */
export type McpAuth = "unknown" | "unsupported" | "bearerToken" | "notLoggedIn" | "oAuth";

export interface McpServerSnapshot {
  readonly name: string;
  /** The plugin that brought it; null: the configuration names it. */
  readonly pluginId: string | null;
  readonly state: McpServerState;
  readonly serverInfo: Readonly<Record<string, unknown>> | null;
  readonly tools: readonly McpToolInfo[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly auth: McpAuth;
}
