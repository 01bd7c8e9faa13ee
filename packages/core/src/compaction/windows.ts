/** Numbers the stretches of a thread between compactions, as session files name them. */
import type { CompactedItem } from "@turnkit/protocol/rollout";
import { freshId } from "../ids.js";

export interface WindowState {
  readonly number: number;
  readonly firstId: string;
  readonly id: string;
}

export type WindowMarks = Required<
  Pick<CompactedItem, "window_number" | "first_window_id" | "previous_window_id" | "window_id">
>;

export class ContextWindows {
  #state: WindowState;

  constructor(state: WindowState) {
    this.#state = state;
  }

  get id(): string {
    return this.#state.id;
  }

  /** Begins the next one. */
  next(): WindowMarks {
    const { number, firstId, id } = this.#state;
    this.#state = { number: number + 1, firstId, id: freshId() };
    return {
      window_number: this.#state.number,
      first_window_id: firstId,
      previous_window_id: id,
      window_id: this.#state.id,
    };
  }
}
