/** What the scripted model answers one request with. Owns the shape only; `play.ts` sends it. */
import type { OutputItem } from "./output-item.js";

export interface ScriptedUsage {
  readonly input_tokens: number;
  readonly input_tokens_details?: { readonly cached_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

/** Times are milliseconds. A held response waits for `release()` or for the client to hang up. */
export interface ScriptedResponse {
  readonly items?: readonly OutputItem[];
  /** false: items arrive whole. Default true. */
  readonly deltas?: boolean;
  /** The pieces every message text is sent in; default: two halves. */
  readonly deltaParts?: readonly string[];
  readonly usage?: ScriptedUsage;
  readonly endTurn?: boolean;
  /** The response's id; default `resp_script_<number of the request>`. */
  readonly id?: string;

  /** Before the status line. */
  readonly delayMs?: number;
  /** After every event. */
  readonly gapMs?: number;
  /** After every text delta. */
  readonly deltaGapMs?: number;

  /** Held before the status line. */
  readonly hold?: boolean;
  readonly holdAfterCreated?: boolean;
  /** Held after the deltas of each message, before its text is done. */
  readonly holdMidText?: boolean;
  readonly holdBeforeCompleted?: boolean;

  /** 400 or more: no stream, this status with `errorBody` as JSON. */
  readonly status?: number;
  readonly errorBody?: unknown;
  /** Extra response headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The stream ends with `response.failed` and this error. */
  readonly failed?: { readonly code?: string; readonly message: string; readonly [field: string]: unknown };
  /** The stream ends with `response.incomplete` and this reason. */
  readonly incomplete?: string;
  /** The stream ends without a closing event. */
  readonly noCompleted?: boolean;
  /** The connection is cut instead of the closing event. */
  readonly cut?: boolean;

  /** Only answers requests this accepts; the first response in the queue that does (or that has none) is played. */
  readonly match?: (body: unknown) => boolean;
  /** Computes the rest of the response from the request; its fields win. */
  readonly fn?: (body: unknown) => ScriptedResponse | Promise<ScriptedResponse>;
}

export interface ResponseSource {
  /**
   * The answer to this request, or undefined when none was expected.
   * @throws {Error} the request cannot be answered as scripted; the message says why
   */
  next(body: unknown): ScriptedResponse | undefined;
}
