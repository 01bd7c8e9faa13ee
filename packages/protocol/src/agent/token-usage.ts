/** Tokens used, and the provider's rate limits as it reports them. */
import { type Static, Type } from "typebox";
import { maybe, open } from "../define.js";

const count = Type.Integer({ minimum: 0 });

/** `cached_input_tokens` are part of `input_tokens`, `reasoning_output_tokens` of `output_tokens`. */
export const TokenUsage = open("TokenUsage", {
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: Type.Optional(count),
  output_tokens: count,
  reasoning_output_tokens: count,
  total_tokens: count,
});
export type TokenUsage = Static<typeof TokenUsage>;

export const TokenUsageInfo = open("TokenUsageInfo", {
  total_token_usage: TokenUsage,
  last_token_usage: TokenUsage,
  model_context_window: maybe(count),
});
export type TokenUsageInfo = Static<typeof TokenUsageInfo>;

export const RateLimitWindow = open("RateLimitWindow", {
  used_percent: Type.Number(),
  window_minutes: maybe(Type.Integer()),
  /** Unix seconds. */
  resets_at: maybe(Type.Integer()),
});
export type RateLimitWindow = Static<typeof RateLimitWindow>;

export const RateLimitSnapshot = open("RateLimitSnapshot", {
  limit_id: maybe(Type.String()),
  limit_name: maybe(Type.String()),
  primary: maybe(RateLimitWindow),
  secondary: maybe(RateLimitWindow),
  credits: Type.Optional(Type.Unknown()),
  individual_limit: Type.Optional(Type.Unknown()),
  spend_control_reached: maybe(Type.Boolean()),
  plan_type: maybe(Type.String()),
  rate_limit_reached_type: maybe(Type.String()),
});
export type RateLimitSnapshot = Static<typeof RateLimitSnapshot>;
