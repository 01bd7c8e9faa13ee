/** Tokens used by a thread. */
import { type Static, Type } from "typebox";
import { maybe, open } from "../define.js";

export const TokenUsageBreakdown = open("TokenUsageBreakdown", {
  totalTokens: Type.Integer(),
  inputTokens: Type.Integer(),
  cachedInputTokens: Type.Integer(),
  cacheWriteInputTokens: Type.Optional(Type.Integer()),
  outputTokens: Type.Integer(),
  reasoningOutputTokens: Type.Integer(),
});
export type TokenUsageBreakdown = Static<typeof TokenUsageBreakdown>;

export const ThreadTokenUsage = open("ThreadTokenUsage", {
  total: TokenUsageBreakdown,
  last: TokenUsageBreakdown,
  modelContextWindow: maybe(Type.Integer()),
});
export type ThreadTokenUsage = Static<typeof ThreadTokenUsage>;

export const ThreadTokenUsageUpdatedNotification = open("ThreadTokenUsageUpdatedNotification", {
  threadId: Type.String(),
  turnId: Type.String(),
  tokenUsage: ThreadTokenUsage,
});
export type ThreadTokenUsageUpdatedNotification = Static<typeof ThreadTokenUsageUpdatedNotification>;
