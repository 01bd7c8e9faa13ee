/** The handshake, capabilities and diagnostics of a server. */
import { type Static, Type } from "typebox";
import { maybe, open, record, stringEnum } from "../define.js";
import { AbsolutePathBuf } from "./scalars.js";

export const ClientInfo = open("ClientInfo", {
  name: Type.String(),
  title: maybe(Type.String()),
  version: Type.String(),
});
export type ClientInfo = Static<typeof ClientInfo>;

export const InitializeCapabilities = open("InitializeCapabilities", {
  experimentalApi: Type.Optional(Type.Boolean()),
  requestAttestation: Type.Optional(Type.Boolean()),
  mcpServerOpenaiFormElicitation: Type.Optional(Type.Boolean()),
  optOutNotificationMethods: maybe(Type.Array(Type.String())),
  extensions: maybe(record(Type.Unknown())),
});
export type InitializeCapabilities = Static<typeof InitializeCapabilities>;

export const InitializeParams = open("InitializeParams", {
  clientInfo: ClientInfo,
  capabilities: maybe(InitializeCapabilities),
});
export type InitializeParams = Static<typeof InitializeParams>;

export const InitializeResponse = open("InitializeResponse", {
  userAgent: Type.String(),
  codexHome: AbsolutePathBuf,
  platformFamily: Type.String(),
  platformOs: Type.String(),
});
export type InitializeResponse = Static<typeof InitializeResponse>;

export const RemoteControlConnectionStatus = stringEnum("RemoteControlConnectionStatus", [
  "disabled",
  "connecting",
  "connected",
  "errored",
]);
export type RemoteControlConnectionStatus = Static<typeof RemoteControlConnectionStatus>;

export const RemoteControlStatusChangedNotification = open("RemoteControlStatusChangedNotification", {
  status: RemoteControlConnectionStatus,
  serverName: Type.String(),
  installationId: Type.String(),
  environmentId: maybe(Type.String()),
});
export type RemoteControlStatusChangedNotification = Static<typeof RemoteControlStatusChangedNotification>;

export const ServerDiagnosticsGauge = open("ServerDiagnosticsGauge", {
  name: Type.String(),
  value: Type.Integer({ minimum: 0 }),
});
export type ServerDiagnosticsGauge = Static<typeof ServerDiagnosticsGauge>;

export const ServerDiagnosticsParams = open("ServerDiagnosticsParams", {});
export type ServerDiagnosticsParams = Static<typeof ServerDiagnosticsParams>;

export const ServerDiagnosticsProcess = open("ServerDiagnosticsProcess", {
  id: Type.Integer({ minimum: 0 }),
  residentMemoryBytes: maybe(Type.Integer({ minimum: 0 })),
  physicalFootprintBytes: maybe(Type.Integer({ minimum: 0 })),
});
export type ServerDiagnosticsProcess = Static<typeof ServerDiagnosticsProcess>;

export const ServerDiagnosticsResponse = open("ServerDiagnosticsResponse", {
  process: ServerDiagnosticsProcess,
  gauges: Type.Array(ServerDiagnosticsGauge),
});
export type ServerDiagnosticsResponse = Static<typeof ServerDiagnosticsResponse>;
