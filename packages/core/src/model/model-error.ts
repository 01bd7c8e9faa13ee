/** What can go wrong with a model request, and whether asking again can help. */
import type { CodexErrorInfo, ErrorEvent } from "@turnkit/protocol";

export interface ModelErrorDetails {
  /** The stream broke or the provider is busy: the same request may succeed. */
  readonly retryable: boolean;
  readonly info: CodexErrorInfo;
  /** Milliseconds the provider asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The provider does not accept an image of the request; without it the request may succeed. */
  readonly refusesImage?: boolean | undefined;
  readonly cause?: unknown;
}

export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly retryable: boolean;
  readonly info: CodexErrorInfo;
  readonly retryAfterMs: number | undefined;
  readonly refusesImage: boolean;

  constructor(message: string, details: ModelErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryable = details.retryable;
    this.info = details.info;
    this.retryAfterMs = details.retryAfterMs;
    this.refusesImage = details.refusesImage ?? false;
  }

  toEvent(): ErrorEvent {
    return { message: this.message, codex_error_info: this.info };
  }
}

export function disconnected(reason: string, cause?: unknown): ModelError {
  return new ModelError(`stream disconnected before completion: ${reason}`, { retryable: true, info: "other", cause });
}

const CONTEXT_TEXT =
  "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.";

/** The error of a response that is not a stream. */
export function errorOfStatus(status: number, body: string, retryAfterMs: number | undefined): ModelError {
  const code = errorCode(body);
  if (code === "context_length_exceeded")
    return new ModelError(CONTEXT_TEXT, { retryable: false, info: "context_window_exceeded" });
  if (status === 401)
    return new ModelError(`unexpected status 401 Unauthorized: ${body}`, { retryable: false, info: "unauthorized" });
  if (status === 429)
    return new ModelError(body === "" ? "the model provider limits requests" : body, {
      retryable: true,
      info:
        code === "usage_limit_reached"
          ? "usage_limit_exceeded"
          : { response_too_many_failed_attempts: { http_status_code: 429 } },
      retryAfterMs,
    });
  if (status >= 500)
    return new ModelError("We're currently experiencing high demand, which may cause temporary errors.", {
      retryable: true,
      info: status === 503 && code === "server_is_overloaded" ? "server_overloaded" : "internal_server_error",
      retryAfterMs,
    });
  if (status === 400 || status === 413 || status === 422) {
    const refusesImage = /image/i.test(body);
    const message = status === 400 ? body : `unexpected status ${status}: ${body}`;
    return new ModelError(message, { retryable: false, info: "other", refusesImage });
  }
  return new ModelError(`unexpected status ${status}: ${body}`, { retryable: false, info: "other" });
}

/** The error a stream reports in its closing event. */
export function errorOfFailedResponse(
  error: { readonly code?: unknown; readonly message?: unknown } | undefined,
): ModelError {
  const message = typeof error?.message === "string" ? error.message : "the response failed";
  switch (error?.code) {
    case "context_length_exceeded":
      return new ModelError(CONTEXT_TEXT, { retryable: false, info: "context_window_exceeded" });
    case "insufficient_quota":
      return new ModelError("Quota exceeded. Check your plan and billing details.", {
        retryable: false,
        info: "usage_limit_exceeded",
      });
    case "invalid_prompt":
      return new ModelError(message, { retryable: false, info: "bad_request" });
    default:
      return new ModelError(`stream disconnected before completion: ${message}`, { retryable: true, info: "other" });
  }
}

function errorCode(body: string): string | undefined {
  try {
    const code = (JSON.parse(body) as { error?: { code?: unknown } } | null)?.error?.code;
    return typeof code === "string" ? code : undefined;
  } catch {
    return undefined;
  }
}
