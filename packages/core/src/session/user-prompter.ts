/**
 * Puts the model's questions in front of the person and waits. Owns the order: the elicitation counts, the holder is
 * in place and the turn is marked before anybody can see the event.
 */
import type { RequestUserInputResponse } from "@turnkit/protocol";
import type { ToolTurn, UserPrompter, UserQuestion } from "@turnkit/tools";
import type { ActiveTurn } from "../turn/active-turn.js";
import type { Runtime } from "./runtime.js";

export interface SessionPrompterOptions {
  readonly runtime: () => Runtime;
  readonly activeTurn: () => ActiveTurn | undefined;
}

export class SessionPrompter implements UserPrompter {
  constructor(private readonly options: SessionPrompterOptions) {}

  async ask(turn: ToolTurn, question: UserQuestion): Promise<RequestUserInputResponse | undefined> {
    const runtime = this.options.runtime();
    const release = runtime.parts.elicitations.hold();
    try {
      const active = this.options.activeTurn();
      const current = active?.id === turn.id ? active : undefined;
      const answer = current ? runtime.parts.answers.register(turn.id) : Promise.resolve(undefined);
      if (current) {
        current.askedUser = true;
        runtime.parts.answers.record.shown(turn.id, question.callId);
      }
      runtime.emit(turn.id, {
        type: "request_user_input",
        call_id: question.callId,
        turn_id: turn.id,
        questions: [...question.questions],
        isBlocking: question.isBlocking,
        autoResolutionMs: null,
      });
      return await answer;
    } finally {
      release();
    }
  }
}
