/** A turn: items, status, times (seconds) and duration (milliseconds). */
import { type Static, Type } from "typebox";
import { maybe, open, stringEnum } from "../define.js";
import { TurnError } from "./errors.js";
import { ThreadItem } from "./item.js";

export const TurnItemsView = stringEnum("TurnItemsView", ["notLoaded", "summary", "full"]);
export type TurnItemsView = Static<typeof TurnItemsView>;

export const TurnStatus = stringEnum("TurnStatus", ["completed", "interrupted", "failed", "inProgress"]);
export type TurnStatus = Static<typeof TurnStatus>;

export const Turn = open("Turn", {
  id: Type.String(),
  items: Type.Array(ThreadItem),
  itemsView: Type.Optional(TurnItemsView),
  status: TurnStatus,
  error: maybe(TurnError),
  startedAt: maybe(Type.Integer()),
  completedAt: maybe(Type.Integer()),
  durationMs: maybe(Type.Integer()),
});
export type Turn = Static<typeof Turn>;

export const TurnsPage = open("TurnsPage", {
  data: Type.Array(Turn),
  nextCursor: maybe(Type.String()),
  backwardsCursor: maybe(Type.String()),
});
export type TurnsPage = Static<typeof TurnsPage>;
