/**
 * Context a client adds beside the input. Only what differs from the last time is told to the model; then the whole
 * store is replaced, so that a key left out once is told again when it returns.
 */
import type { AdditionalContext, ResponseItem } from "@turnkit/protocol";
import { truncateMiddle } from "@turnkit/tools";
import { developerMessage, userMessage } from "./fragments.js";

const MAX_VALUE_BYTES = 4_000;

export interface ContextFragment {
  readonly item: ResponseItem;
  readonly kind: string;
}

export class AdditionalContextStore {
  #entries: AdditionalContext = {};

  /** After the history was replaced everything is told again. */
  forget(): void {
    this.#entries = {};
  }

  /** The fragments for what changed, by key in order. undefined: nothing was said about context, the store stays. */
  merge(incoming: AdditionalContext | undefined): readonly ContextFragment[] {
    if (incoming === undefined) return [];
    const changed = Object.keys(incoming)
      .sort()
      .filter((key) => {
        const known = this.#entries[key];
        const given = incoming[key]!;
        return known === undefined || known.value !== given.value || known.kind !== given.kind;
      });
    this.#entries = incoming;
    return changed.map((key) => {
      const { value, kind } = incoming[key]!;
      const text = truncateMiddle(value, MAX_VALUE_BYTES);
      const item =
        kind === "application"
          ? developerMessage([`<${key}>${text}</${key}>`])
          : userMessage(`<external_${key}>${text}</external_${key}>`);
      return { item, kind: `additional_content.${key}` };
    });
  }
}
