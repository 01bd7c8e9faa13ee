/** The handshake of an exec-server connection and what the server tells about its machine. */
import { type Static, Type } from "typebox";
import { maybe, named, nullable, open } from "../define.js";

export const ExecInitializeParams = open("ExecInitializeParams", {
  clientName: Type.String(),
  /** A session whose connection was lost less than 30 s ago. */
  resumeSessionId: maybe(Type.String()),
});
export type ExecInitializeParams = Static<typeof ExecInitializeParams>;

export const ExecShellInfo = open("ExecShellInfo", { name: Type.String(), path: Type.String() });
export type ExecShellInfo = Static<typeof ExecShellInfo>;

/** Only what is true is advertised; a client treats a missing member as false. */
export const ExecCapabilities = open("ExecCapabilities", {
  networkProxyLaunch: Type.Optional(Type.Boolean()),
  capabilityDiscoverySandbox: Type.Optional(Type.Boolean()),
  environmentConfigRead: Type.Optional(Type.Boolean()),
  httpHeaderEnvVars: Type.Optional(Type.Boolean()),
  sandboxedFileStreaming: Type.Optional(Type.Boolean()),
  shellSnapshotV2: Type.Optional(Type.Boolean()),
  /** `process/resize` and `process/closeStdin`, which the reference does not have. */
  processResize: Type.Optional(Type.Boolean()),
  processCloseStdin: Type.Optional(Type.Boolean()),
});
export type ExecCapabilities = Static<typeof ExecCapabilities>;

export const ExecEnvironmentInfo = open("ExecEnvironmentInfo", {
  shell: ExecShellInfo,
  /** `file://` URIs. */
  cwd: Type.Optional(Type.String()),
  temporaryDirectories: Type.Optional(Type.Array(Type.String())),
  tempDir: Type.Optional(Type.String()),
  capabilities: Type.Optional(ExecCapabilities),
});
export type ExecEnvironmentInfo = Static<typeof ExecEnvironmentInfo>;

export const ExecInitializeResponse = open("ExecInitializeResponse", {
  sessionId: Type.String(),
  environmentInfo: Type.Optional(ExecEnvironmentInfo),
});
export type ExecInitializeResponse = Static<typeof ExecInitializeResponse>;

export const ExecEnvironmentStatus = open("ExecEnvironmentStatus", { status: Type.String() });
export type ExecEnvironmentStatus = Static<typeof ExecEnvironmentStatus>;

/** An answer that carries nothing. */
export const ExecEmptyResponse = open("ExecEmptyResponse", {});
export type ExecEmptyResponse = Static<typeof ExecEmptyResponse>;

/** Absent, null or an empty object. */
export const ExecUnitParams = named("ExecUnitParams", nullable(Type.Object({}, { maxProperties: 0 })));
export type ExecUnitParams = Static<typeof ExecUnitParams>;
