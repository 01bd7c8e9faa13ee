/**
 * Decides what becomes of an input: it starts a turn, joins the running one, or is refused. Pure: looks at facts,
 * changes nothing, and answers what was decided, not what will happen.
 */
import type { ModeKind, NonSteerableTurnKind, NotSubmittedReason } from "@turnkit/protocol";

export type TurnKind = "regular" | NonSteerableTurnKind;

export interface ActiveTurnFacts {
  readonly id: string;
  readonly kind: TurnKind;
  /** false: the place is taken but nothing runs yet. */
  readonly hasTask: boolean;
  readonly outputSchema: unknown;
}

export interface SessionFacts {
  readonly activeTurn: ActiveTurnFacts | undefined;
  /** A message of another agent waits to start a turn. */
  readonly pendingTriggerTurn: boolean;
  readonly mode: ModeKind;
}

export interface InputFacts {
  /** A person's input, as opposed to items and messages made by programs. */
  readonly isUserInput: boolean;
  /** No element at all; one empty text is an element. */
  readonly isEmpty: boolean;
  /** undefined: none was asked for. */
  readonly outputSchema: unknown;
  /** The mode once the settings of the request hold. */
  readonly modeAfterSettings: ModeKind;
  readonly isRecovery: boolean;
}

export type Routing =
  | { readonly type: "start" }
  | { readonly type: "steer"; readonly turnId: string }
  | { readonly type: "refuse"; readonly reason: NotSubmittedReason };

const refuse = (reason: NotSubmittedReason): Routing => ({ type: "refuse", reason });

export function routeSteer(session: SessionFacts, input: InputFacts, expectedTurnId: string | undefined): Routing {
  const active = session.activeTurn;
  if (!active?.hasTask) return refuse("NoActiveTurn");
  if (expectedTurnId !== undefined && expectedTurnId !== active.id)
    return refuse({ ExpectedTurnMismatch: { expected: expectedTurnId, actual: active.id } });
  if (active.kind !== "regular") return refuse({ ActiveTurnNotSteerable: { turn_kind: active.kind } });
  if (input.isEmpty) return refuse("EmptyInput");
  if (input.outputSchema !== undefined && !jsonEqual(input.outputSchema, active.outputSchema))
    return refuse("ActiveTurnOutputSchemaMismatch");
  return { type: "steer", turnId: active.id };
}

export function routeStartOrSteer(session: SessionFacts, input: InputFacts): Routing {
  const steer = routeSteer(session, input, undefined);
  return steer.type === "refuse" && steer.reason === "NoActiveTurn" ? { type: "start" } : steer;
}

export function routeStartIfIdle(session: SessionFacts, input: InputFacts): Routing {
  if (session.pendingTriggerTurn) return refuse("PendingTriggerTurn");
  const automatic = !(input.isUserInput && !input.isEmpty) && !input.isRecovery;
  if (automatic && session.mode === "plan") return refuse("PlanMode");
  if (session.activeTurn) return refuse("NotIdle");
  if (automatic && input.modeAfterSettings === "plan") return refuse("PlanMode");
  return { type: "start" };
}

/** Equality of JSON values; the order of members does not matter. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((element, index) => jsonEqual(element, b[index]))
    );
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
  );
}
