/**
 * The port through which a turn asks a model. Owns the shape of a request and of what streams back.
 * `responses-client` is the implementation over HTTP; tests and embedding programs may bring their own.
 */
import type { ResponseItem, TokenUsage } from "@turnkit/protocol";
import type { ToolSpec } from "@turnkit/tools";

export interface ModelRequest {
  readonly model: string;
  readonly instructions: string;
  readonly input: readonly ResponseItem[];
  readonly tools: readonly ToolSpec[];
  readonly parallelToolCalls: boolean;
  /** undefined: the model does not take the parameter. */
  readonly reasoning: { readonly effort: string | undefined; readonly summary: string | undefined } | undefined;
  readonly verbosity: string | undefined;
  /** JSON Schema the final message has to satisfy. */
  readonly outputSchema: unknown;
  /** Stable for a thread, so that a provider can reuse what it has cached. */
  readonly promptCacheKey: string;
  readonly serviceTier: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

export type ModelEvent =
  | { readonly type: "created" }
  | { readonly type: "itemAdded"; readonly item: ResponseItem }
  | { readonly type: "itemDone"; readonly item: ResponseItem }
  | { readonly type: "textDelta"; readonly itemId: string; readonly delta: string }
  | { readonly type: "reasoningSummaryPart"; readonly itemId: string; readonly summaryIndex: number }
  | {
      readonly type: "reasoningSummaryDelta";
      readonly itemId: string;
      readonly summaryIndex: number;
      readonly delta: string;
    }
  | {
      readonly type: "reasoningTextDelta";
      readonly itemId: string;
      readonly contentIndex: number;
      readonly delta: string;
    }
  | {
      readonly type: "completed";
      readonly usage: TokenUsage | undefined;
      /** false: the model wants to be asked again though it called no tool. */
      readonly endTurn: boolean | undefined;
    };

export interface ModelClient {
  /**
   * Sends one request and yields what comes back, ending with `completed`.
   * @throws {ModelError} refused, unreachable, or cut off
   */
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
  /** How often a stream that broke is asked for again; 0 when absent. */
  readonly streamRetries?: number;
}
