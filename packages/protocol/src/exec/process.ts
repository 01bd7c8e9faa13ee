/** Processes on the exec-server's wire: `process/*`. */
import { type Static, Type } from "typebox";
import { anyObject, literals, maybe, nullable, open, record, stringEnum } from "../define.js";
import { ExecSandbox } from "./sandbox.js";
import { ExecShellInfo } from "./session.js";

const Count = Type.Integer({ minimum: 0 });

/** Builds the environment from the server's own; `env` of the start comes on top and is never filtered. */
export const ExecEnvPolicy = open("ExecEnvPolicy", {
  inherit: literals(["core", "all", "none"]),
  ignoreDefaultExcludes: Type.Boolean(),
  /** Globs with `*` and `?`, case-insensitive. */
  exclude: Type.Array(Type.String()),
  set: record(Type.String()),
  includeOnly: Type.Array(Type.String()),
});
export type ExecEnvPolicy = Static<typeof ExecEnvPolicy>;

export const ExecShellSnapshot = open("ExecShellSnapshot", {
  /** 1 to 256 bytes. */
  scopeId: Type.String(),
  shell: ExecShellInfo,
});
export type ExecShellSnapshot = Static<typeof ExecShellSnapshot>;

export const ProcessStartParams = open("ProcessStartParams", {
  processId: Type.String(),
  argv: Type.Array(Type.String()),
  /** A `file://` URI. */
  cwd: Type.String(),
  /** Without `envPolicy` the exact environment. */
  env: record(Type.String()),
  tty: Type.Boolean(),
  envPolicy: maybe(ExecEnvPolicy),
  pipeStdin: Type.Optional(Type.Boolean()),
  arg0: maybe(Type.String()),
  shellSnapshot: maybe(ExecShellSnapshot),
  sandbox: maybe(ExecSandbox),
  enforceManagedNetwork: Type.Optional(Type.Boolean()),
  managedNetwork: maybe(anyObject()),
  networkProxy: maybe(anyObject()),
});
export type ProcessStartParams = Static<typeof ProcessStartParams>;

export const ProcessStartResponse = open("ProcessStartResponse", {
  processId: Type.String(),
  sandboxType: Type.Optional(Type.String()),
});
export type ProcessStartResponse = Static<typeof ProcessStartResponse>;

export const ExecStream = stringEnum("ExecStream", ["stdout", "stderr", "pty"]);
export type ExecStream = Static<typeof ExecStream>;

export const ProcessReadParams = open("ProcessReadParams", {
  processId: Type.String(),
  afterSeq: maybe(Count),
  maxBytes: maybe(Count),
  waitMs: maybe(Count),
});
export type ProcessReadParams = Static<typeof ProcessReadParams>;

export const ProcessChunk = open("ProcessChunk", {
  seq: Count,
  stream: ExecStream,
  /** Base64. */
  chunk: Type.String(),
});
export type ProcessChunk = Static<typeof ProcessChunk>;

export const ProcessReadResponse = open("ProcessReadResponse", {
  chunks: Type.Array(ProcessChunk),
  /** With `maxBytes` and a chunk: the last chunk's seq + 1; otherwise the process's own next. */
  nextSeq: Count,
  exited: Type.Boolean(),
  exitCode: nullable(Type.Integer()),
  closed: Type.Boolean(),
  failure: maybe(Type.String()),
  sandboxDenied: Type.Optional(Type.Boolean()),
});
export type ProcessReadResponse = Static<typeof ProcessReadResponse>;

export const ProcessWriteParams = open("ProcessWriteParams", {
  processId: Type.String(),
  /** Base64, padded, standard alphabet. */
  chunk: Type.String(),
  /** Not empty; the newest 4,096 per process are remembered and not delivered twice. */
  writeId: Type.String(),
});
export type ProcessWriteParams = Static<typeof ProcessWriteParams>;

export const ProcessWriteStatus = stringEnum("ProcessWriteStatus", [
  "accepted",
  "unknownProcess",
  "stdinClosed",
  "starting",
]);
export type ProcessWriteStatus = Static<typeof ProcessWriteStatus>;

export const ProcessWriteResponse = open("ProcessWriteResponse", { status: ProcessWriteStatus });
export type ProcessWriteResponse = Static<typeof ProcessWriteResponse>;

export const ProcessSignalParams = open("ProcessSignalParams", {
  processId: Type.String(),
  signal: literals(["interrupt"]),
});
export type ProcessSignalParams = Static<typeof ProcessSignalParams>;

export const ProcessTerminateParams = open("ProcessTerminateParams", { processId: Type.String() });
export type ProcessTerminateParams = Static<typeof ProcessTerminateParams>;

export const ProcessTerminateResponse = open("ProcessTerminateResponse", { running: Type.Boolean() });
export type ProcessTerminateResponse = Static<typeof ProcessTerminateResponse>;

export const ProcessResizeParams = open("ProcessResizeParams", {
  processId: Type.String(),
  rows: Type.Integer({ minimum: 1, maximum: 65535 }),
  cols: Type.Integer({ minimum: 1, maximum: 65535 }),
});
export type ProcessResizeParams = Static<typeof ProcessResizeParams>;

export const ProcessResizeResponse = open("ProcessResizeResponse", {
  /** false: unknown, ended, or not on a terminal. */
  resized: Type.Boolean(),
});
export type ProcessResizeResponse = Static<typeof ProcessResizeResponse>;

export const ProcessCloseStdinParams = open("ProcessCloseStdinParams", { processId: Type.String() });
export type ProcessCloseStdinParams = Static<typeof ProcessCloseStdinParams>;

export const ProcessOutputNotification = open("ProcessOutputNotification", {
  processId: Type.String(),
  seq: Count,
  stream: ExecStream,
  chunk: Type.String(),
});
export type ProcessOutputNotification = Static<typeof ProcessOutputNotification>;

export const ProcessExitedNotification = open("ProcessExitedNotification", {
  processId: Type.String(),
  seq: Count,
  exitCode: Type.Integer(),
  sandboxDenied: Type.Optional(Type.Boolean()),
});
export type ProcessExitedNotification = Static<typeof ProcessExitedNotification>;

export const ProcessClosedNotification = open("ProcessClosedNotification", {
  processId: Type.String(),
  seq: Count,
});
export type ProcessClosedNotification = Static<typeof ProcessClosedNotification>;
