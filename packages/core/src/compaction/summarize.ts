/**
 * Asks the model for the note that is to replace a history. A history that is too long even for that loses its oldest
 * items until it fits. Owns no change of the history: what fails leaves everything as it was.
 */
import type { ResponseItem, TokenUsage } from "@turnkit/protocol";
import { userMessage } from "../context/fragments.js";
import { estimateTokens } from "../history/estimate-tokens.js";
import { normalizeHistory } from "../history/normalize.js";
import { ModelError } from "../model/model-error.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "../turn/active-turn.js";
import { modelRequest, NO_RATE_LIMITS } from "../turn/sample.js";
import { withStreamRetries } from "../turn/stream-retries.js";
import { COMPACTION_PROMPT } from "./prompts.js";

export interface Note {
  readonly text: string;
  /** What the model said, in order. */
  readonly items: readonly ResponseItem[];
  readonly usage: TokenUsage | undefined;
}

/** Of what is left, each time the provider refuses. */
const LEFT_OUT_SHARE = 0.1;

/** @throws {ModelError} @throws whatever the client throws when the turn is interrupted */
export async function summarize(runtime: Runtime, turn: ActiveTurn): Promise<Note> {
  const { modalities } = runtime.parts.models.info(turn.start.settings.model);
  let items = runtime.parts.history.items;
  return await withStreamRetries(runtime, turn, {
    run: () => askOnce(runtime, turn, normalizeHistory(items, { modalities })),
    repaired: (error) => {
      const tooLong = error instanceof ModelError && error.info === "context_window_exceeded";
      if (!tooLong || turn.signal.aborted || items.length === 0) return false;
      items = withoutOldest(items);
      runtime.parts.logger.warn("the history is too long to be summarized at once; its oldest items are left out");
      return true;
    },
  });
}

function withoutOldest(items: readonly ResponseItem[]): readonly ResponseItem[] {
  const aim = estimateTokens("", items) * LEFT_OUT_SHARE;
  let left = 0;
  let count = 0;
  do {
    left += estimateTokens("", [items[count]!]);
    count += 1;
  } while (left < aim && count < items.length);
  return items.slice(count);
}

async function askOnce(runtime: Runtime, turn: ActiveTurn, history: readonly ResponseItem[]): Promise<Note> {
  const { modelClient, compaction } = runtime.parts;
  const request = {
    ...modelRequest(runtime, turn),
    input: [...history, userMessage(compaction.prompt ?? COMPACTION_PROMPT)],
    tools: [],
    parallelToolCalls: false,
    outputSchema: undefined,
  };
  const items: ResponseItem[] = [];
  let opened = false;
  let text: string | undefined;
  let usage: TokenUsage | undefined;
  for await (const event of modelClient.stream(request, { signal: turn.signal })) {
    if (turn.signal.aborted) break;
    if (!opened) reportUsage(runtime, turn);
    opened = true;
    if (event.type === "itemDone") {
      items.push(event.item);
      if (event.item.type === "message" && event.item.role === "assistant")
        text = event.item.content.map((part) => (part.type === "output_text" ? part.text : "")).join("");
    }
    if (event.type === "completed") ({ usage } = event);
  }
  turn.throwIfDetached();
  turn.signal.throwIfAborted();
  if (text === undefined || text.trim() === "")
    throw new ModelError("The conversation was not shortened: the model wrote no summary.", {
      retryable: false,
      info: "other",
    });
  return { text, items, usage };
}

export function reportUsage(runtime: Runtime, turn: ActiveTurn): void {
  const info = runtime.parts.history.usage;
  runtime.emit(turn.id, { type: "token_count", info, rate_limits: NO_RATE_LIMITS });
}
