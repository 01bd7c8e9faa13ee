/**
 * Takes pending input into the history: each part passes the prompt hook alone, then becomes an item and a turn item.
 * Says whether the turn has to stop because nothing a person wrote was accepted.
 */
import type { TurnItem, UserInput } from "@turnkit/protocol";
import { messageOf, userMessageEvent } from "../context/user-message.js";
import { freshId } from "../ids.js";
import type { PendingInput } from "../session/input-queue.js";
import type { Runtime } from "../session/runtime.js";
import type { ActiveTurn } from "./active-turn.js";

export interface RecordOutcome {
  readonly anyBlocked: boolean;
  readonly acceptedUserInput: boolean;
  /** What a person wrote and was accepted, in order. */
  readonly accepted: readonly UserInput[];
}

/** A drain in which something was blocked and no words of a person were accepted ends the turn. */
export function mustStop(outcome: RecordOutcome): boolean {
  return outcome.anyBlocked && !outcome.acceptedUserInput;
}

export async function recordInput(
  runtime: Runtime,
  turn: ActiveTurn,
  pending: readonly PendingInput[],
): Promise<RecordOutcome> {
  let anyBlocked = false;
  const accepted: UserInput[] = [];
  for (const input of pending) {
    if (input.type === "item") {
      runtime.recordItem(turn.id, input.item, input.kinds);
      continue;
    }
    if (input.type === "agent") {
      const { author, recipient, content } = input.communication;
      runtime.recordItem(turn.id, {
        type: "agent_message",
        author,
        recipient,
        content: [{ type: "input_text", text: content }],
      });
      continue;
    }
    const outcome = await runtime.parts.hooks?.userPromptSubmit(messageOf(input.content), turn.id, turn.signal);
    if (outcome?.blocked) anyBlocked = true;
    else {
      await recordUserInput(runtime, turn, input);
      accepted.push(...input.content);
    }
    runtime.recordHookContexts(turn.id, outcome?.contexts ?? []);
  }
  return { anyBlocked, acceptedUserInput: accepted.length > 0, accepted };
}

/** The item, its events, and from then on a file on disk. */
async function recordUserInput(
  runtime: Runtime,
  turn: ActiveTurn,
  input: Extract<PendingInput, { type: "user" }>,
): Promise<void> {
  const { content, kinds } = await input.prepared;
  runtime.recordItem(turn.id, { type: "message", role: "user", content: [...content] }, kinds);
  reportUserMessage(runtime, turn, input.content, input.clientId);
  runtime.parts.recorder?.materialize();
}

function reportUserMessage(
  runtime: Runtime,
  turn: ActiveTurn,
  content: readonly UserInput[],
  clientId: string | null,
): void {
  const item: TurnItem = {
    type: "UserMessage",
    id: freshId(),
    ...(clientId === null ? {} : { client_id: clientId }),
    content: [...content],
  };
  const ids = { thread_id: runtime.parts.threadId, turn_id: turn.id, item };
  const at = runtime.parts.clock.epochMs();
  runtime.emit(turn.id, { type: "item_started", ...ids, started_at_ms: at });
  runtime.emit(turn.id, { type: "item_completed", ...ids, started_at_ms: at, completed_at_ms: at });
  runtime.emit(turn.id, userMessageEvent(content, clientId));
}
