/** What a session event means for the clients of its thread. Data only. */

import type { StatusChange } from "../threads/thread-status.js";
import type { CommandItem } from "./command-item.js";

export interface NotifyEffect {
  readonly kind: "notify";
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A question to the clients. `answer` says where the reply goes. */
export interface AskEffect {
  readonly kind: "ask";
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly answer:
    | { readonly to: "userInput"; readonly turnId: string }
    /** `item`: what a refusal ends; null where the command runs already. */
    | {
        readonly to: "command";
        readonly approvalId: string;
        readonly turnId: string;
        readonly item: CommandItem | null;
      }
    | { readonly to: "patch"; readonly approvalId: string }
    | { readonly to: "permissions"; readonly callId: string }
    | { readonly to: "elicitation"; readonly server: string; readonly id: string | number };
}

export type Effect =
  | NotifyEffect
  | AskEffect
  | { readonly kind: "status"; readonly change: StatusChange }
  /** Pending questions of the thread end without an answer: its turn moved on. */
  | { readonly kind: "turnTransition" }
  /** Clients waiting for an interrupt get their reply. */
  | { readonly kind: "answerInterrupts" }
  | { readonly kind: "closed" };

export const notify = (method: string, params: Record<string, unknown>): NotifyEffect => ({
  kind: "notify",
  method,
  params,
});
