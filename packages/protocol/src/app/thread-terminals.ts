/** Background terminals of a thread. */
import { type Static, Type } from "typebox";
import { maybe, open } from "../define.js";
import { LegacyAppPathString } from "./scalars.js";

export const TerminalInteractionNotification = open("TerminalInteractionNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  itemId: Type.String(),
  processId: Type.String(),
  stdin: Type.String(),
});
export type TerminalInteractionNotification = Static<typeof TerminalInteractionNotification>;

export const ThreadBackgroundTerminal = open("ThreadBackgroundTerminal", {
  itemId: Type.String(),
  processId: Type.String(),
  command: Type.String(),
  cwd: LegacyAppPathString,
  osPid: maybe(Type.Integer({ minimum: 0 })),
  cpuPercent: maybe(Type.Number()),
  rssKb: maybe(Type.Integer({ minimum: 0 })),
});
export type ThreadBackgroundTerminal = Static<typeof ThreadBackgroundTerminal>;

export const ThreadBackgroundTerminalsCleanParams = open("ThreadBackgroundTerminalsCleanParams", {
  threadId: Type.String(),
});
export type ThreadBackgroundTerminalsCleanParams = Static<typeof ThreadBackgroundTerminalsCleanParams>;

export const ThreadBackgroundTerminalsCleanResponse = open("ThreadBackgroundTerminalsCleanResponse", {});
export type ThreadBackgroundTerminalsCleanResponse = Static<typeof ThreadBackgroundTerminalsCleanResponse>;

export const ThreadBackgroundTerminalsListParams = open("ThreadBackgroundTerminalsListParams", {
  threadId: Type.String(),
  cursor: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 0 })),
});
export type ThreadBackgroundTerminalsListParams = Static<typeof ThreadBackgroundTerminalsListParams>;

export const ThreadBackgroundTerminalsListResponse = open("ThreadBackgroundTerminalsListResponse", {
  data: Type.Array(ThreadBackgroundTerminal),
  nextCursor: maybe(Type.String()),
});
export type ThreadBackgroundTerminalsListResponse = Static<typeof ThreadBackgroundTerminalsListResponse>;

export const ThreadBackgroundTerminalsTerminateParams = open("ThreadBackgroundTerminalsTerminateParams", {
  threadId: Type.String(),
  processId: Type.String(),
});
export type ThreadBackgroundTerminalsTerminateParams = Static<typeof ThreadBackgroundTerminalsTerminateParams>;

export const ThreadBackgroundTerminalsTerminateResponse = open("ThreadBackgroundTerminalsTerminateResponse", {
  terminated: Type.Boolean(),
});
export type ThreadBackgroundTerminalsTerminateResponse = Static<typeof ThreadBackgroundTerminalsTerminateResponse>;
