/** MCP servers: their tools, resources and state. */
import { type Static, Type } from "typebox";
import { anyOf, maybe, named, opaque, open, record, shape, stringEnum } from "../define.js";

export const McpServerStatusDetail = stringEnum("McpServerStatusDetail", ["full", "toolsAndAuthOnly"]);
export type McpServerStatusDetail = Static<typeof McpServerStatusDetail>;

export const ListMcpServerStatusParams = open("ListMcpServerStatusParams", {
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
  detail: maybe(McpServerStatusDetail),
  threadId: maybe(Type.String()),
});
export type ListMcpServerStatusParams = Static<typeof ListMcpServerStatusParams>;

export const McpAuthStatus = stringEnum("McpAuthStatus", [
  "unknown",
  "unsupported",
  "notLoggedIn",
  "bearerToken",
  "oAuth",
]);
export type McpAuthStatus = Static<typeof McpAuthStatus>;

export const McpServerConnectionStatus = stringEnum("McpServerConnectionStatus", [
  "notStarted",
  "starting",
  "connected",
  "authenticationRequired",
  "failed",
  "cancelled",
  "disabled",
]);
export type McpServerConnectionStatus = Static<typeof McpServerConnectionStatus>;

export const McpServerInfo = open("McpServerInfo", {
  name: Type.String(),
  title: maybe(Type.String()),
  version: Type.String(),
  description: maybe(Type.String()),
  icons: maybe(Type.Array(Type.Unknown())),
  websiteUrl: maybe(Type.String()),
});
export type McpServerInfo = Static<typeof McpServerInfo>;

export const McpResource = open("McpResource", {
  annotations: Type.Optional(Type.Unknown()),
  description: maybe(Type.String()),
  mimeType: maybe(Type.String()),
  name: Type.String(),
  size: maybe(Type.Integer()),
  title: maybe(Type.String()),
  uri: Type.String(),
  icons: maybe(Type.Array(Type.Unknown())),
  _meta: Type.Optional(Type.Unknown()),
});
export type McpResource = Static<typeof McpResource>;

export const McpResourceTemplate = open("McpResourceTemplate", {
  annotations: Type.Optional(Type.Unknown()),
  uriTemplate: Type.String(),
  name: Type.String(),
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  mimeType: maybe(Type.String()),
});
export type McpResourceTemplate = Static<typeof McpResourceTemplate>;

export const McpTool = open("McpTool", {
  name: Type.String(),
  title: maybe(Type.String()),
  description: maybe(Type.String()),
  inputSchema: Type.Unknown(),
  outputSchema: Type.Optional(Type.Unknown()),
  annotations: Type.Optional(Type.Unknown()),
  icons: maybe(Type.Array(Type.Unknown())),
  _meta: Type.Optional(Type.Unknown()),
});
export type McpTool = Static<typeof McpTool>;

export const McpServerStatus = open("McpServerStatus", {
  name: Type.String(),
  runtimeStatus: maybe(McpServerConnectionStatus),
  pluginId: maybe(Type.String()),
  serverInfo: maybe(McpServerInfo),
  tools: record(McpTool),
  resources: Type.Array(McpResource),
  resourceTemplates: Type.Array(McpResourceTemplate),
  authStatus: McpAuthStatus,
});
export type McpServerStatus = Static<typeof McpServerStatus>;

export const ListMcpServerStatusResponse = open("ListMcpServerStatusResponse", {
  data: Type.Array(McpServerStatus),
  nextCursor: maybe(Type.String()),
});
export type ListMcpServerStatusResponse = Static<typeof ListMcpServerStatusResponse>;

export const McpServerStartupFailureReason = stringEnum("McpServerStartupFailureReason", ["reauthenticationRequired"]);
export type McpServerStartupFailureReason = Static<typeof McpServerStartupFailureReason>;

export const McpServerStartupState = stringEnum("McpServerStartupState", ["starting", "ready", "failed", "cancelled"]);
export type McpServerStartupState = Static<typeof McpServerStartupState>;

export const McpServerStatusUpdatedNotification = open("McpServerStatusUpdatedNotification", {
  threadId: maybe(Type.String()),
  name: Type.String(),
  status: McpServerStartupState,
  error: maybe(Type.String()),
  failureReason: maybe(McpServerStartupFailureReason),
});
export type McpServerStatusUpdatedNotification = Static<typeof McpServerStatusUpdatedNotification>;

export const McpServerRefreshResponse = open("McpServerRefreshResponse", {});
export type McpServerRefreshResponse = Static<typeof McpServerRefreshResponse>;

export const McpServerToolCallParams = open("McpServerToolCallParams", {
  threadId: Type.String(),
  server: Type.String(),
  tool: Type.String(),
  arguments: Type.Optional(Type.Unknown()),
  _meta: Type.Optional(Type.Unknown()),
});
export type McpServerToolCallParams = Static<typeof McpServerToolCallParams>;

export const McpServerToolCallResponse = open("McpServerToolCallResponse", {
  content: Type.Array(Type.Unknown()),
  structuredContent: Type.Optional(Type.Unknown()),
  isError: maybe(Type.Boolean()),
  _meta: Type.Optional(Type.Unknown()),
});
export type McpServerToolCallResponse = Static<typeof McpServerToolCallResponse>;

export const McpResourceReadParams = open("McpResourceReadParams", {
  threadId: maybe(Type.String()),
  originCallId: maybe(Type.String()),
  server: Type.String(),
  uri: Type.String(),
  connectorId: maybe(Type.String()),
});
export type McpResourceReadParams = Static<typeof McpResourceReadParams>;

/** What a resource holds: a text, or bytes as base64. */
export const ResourceContent = named(
  "ResourceContent",
  anyOf([
    shape({ uri: Type.String(), mimeType: maybe(Type.String()), text: Type.String(), _meta: Type.Optional(opaque()) }),
    shape({ uri: Type.String(), mimeType: maybe(Type.String()), blob: Type.String(), _meta: Type.Optional(opaque()) }),
  ]),
);
export type ResourceContent = Static<typeof ResourceContent>;

export const McpResourceReadResponse = open("McpResourceReadResponse", {
  contents: Type.Array(ResourceContent),
  originCallId: maybe(Type.String()),
});
export type McpResourceReadResponse = Static<typeof McpResourceReadResponse>;

/** How a client makes itself known to an authorization server: a document at a URL, or registration. */
export const McpServerOauthClientRegistration = stringEnum("McpServerOauthClientRegistration", ["auto", "cimd", "dcr"]);
export type McpServerOauthClientRegistration = Static<typeof McpServerOauthClientRegistration>;

export const McpServerOauthLoginParams = open("McpServerOauthLoginParams", {
  name: Type.String(),
  scopes: maybe(Type.Array(Type.String())),
  /** How long the person's answer is waited for. */
  timeoutSecs: maybe(Type.Integer()),
  threadId: maybe(Type.String()),
  clientRegistration: maybe(McpServerOauthClientRegistration),
});
export type McpServerOauthLoginParams = Static<typeof McpServerOauthLoginParams>;

export const McpServerOauthLoginResponse = open("McpServerOauthLoginResponse", { authorizationUrl: Type.String() });
export type McpServerOauthLoginResponse = Static<typeof McpServerOauthLoginResponse>;

export const McpServerOauthLoginCompletedNotification = open("McpServerOauthLoginCompletedNotification", {
  name: Type.String(),
  threadId: maybe(Type.String()),
  success: Type.Boolean(),
  error: maybe(Type.String()),
});
export type McpServerOauthLoginCompletedNotification = Static<typeof McpServerOauthLoginCompletedNotification>;
