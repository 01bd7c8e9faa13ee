/** A stream that breaks is asked for again; everybody is told of each try. */
import { ModelError } from "../model/model-error.js";
import { delay } from "../model/responses-client.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";

const FIRST_RETRY_MS = 200;

export interface RetriedWork<Result> {
  readonly run: () => Promise<Result>;
  /** The cause of an error has been taken away: the next try costs none. */
  readonly repaired?: (error: unknown) => boolean;
}

/** @throws what `run` threw last */
export async function withStreamRetries<Result>(
  runtime: Runtime,
  turn: ActiveTurn,
  { run, repaired }: RetriedWork<Result>,
): Promise<Result> {
  const retries = runtime.parts.modelClient.streamRetries ?? 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (repaired?.(error)) continue;
      if (!(error instanceof ModelError) || !error.retryable || attempt > retries || turn.signal.aborted) throw error;
      runtime.emit(turn.id, {
        type: "stream_error",
        message: `Reconnecting... ${attempt}/${retries}`,
        codex_error_info: { response_stream_disconnected: { http_status_code: null } },
        additional_details: error.message,
      });
      await delay(error.retryAfterMs ?? FIRST_RETRY_MS * 2 ** (attempt - 1), turn.signal);
    }
  }
}
