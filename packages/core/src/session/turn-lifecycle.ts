/**
 * Starts turns and ends them, each exactly once: by completion or by interruption. Owns which turn is active.
 * Does not decide whether an input may start one; see the router.
 */
import type { ErrorEvent } from "@turnkit/protocol";
import { StoppedByHook } from "../compaction/stopped-by-hook.js";
import { turnAbortedMessage } from "../context/fragments.js";
import { ActiveTurn, type TurnStart } from "../turn/active-turn.js";
import { recordInput } from "../turn/record-input.js";
import { abortedEvent, completionEvent, continueTurn, errorEvent, reportStart, runTurn } from "../turn/run-turn.js";
import type { PendingInput } from "./input-queue.js";
import type { Runtime } from "./runtime.js";

/** An interrupted turn gets this long to wind up before it is cut off. */
const INTERRUPT_GRACE_MS = 100;

export interface TurnLifecycleOptions {
  readonly runtime: () => Runtime;
  /** The session has become idle. */
  readonly onIdle: (cause: IdleCause) => void;
}

/** `replaced`: another turn takes the place at once. */
export type IdleCause = "completed" | "failed" | "interrupted" | "replaced";

/** What a turn does. Returns why it failed; undefined: it ended well. */
export type TurnWork = (runtime: Runtime, turn: ActiveTurn) => Promise<ErrorEvent | undefined>;

export class TurnLifecycle {
  #active: ActiveTurn | undefined;

  constructor(private readonly options: TurnLifecycleOptions) {}

  get active(): ActiveTurn | undefined {
    return this.#active;
  }

  /** The place must be free. Nothing is reported before the caller's own continuations have run. */
  start(start: TurnStart, input: readonly PendingInput[], work: TurnWork = runTurn): ActiveTurn {
    const runtime = this.options.runtime();
    const turn = new ActiveTurn(start, runtime.parts.mailbox);
    turn.input.begin(input);
    this.#active = turn;
    setImmediate(() => void this.#run(runtime, turn, work));
    return turn;
  }

  async #run(runtime: Runtime, turn: ActiveTurn, work: TurnWork): Promise<void> {
    let failure: ErrorEvent | undefined;
    try {
      if (turn.signal.aborted) return;
      failure = await work(runtime, turn);
      // Input may have joined while the turn was already on its way out.
      while (!failure && !turn.stopped && turn.input.hasPending) failure = await continueTurn(runtime, turn);
    } catch (error) {
      if (error instanceof StoppedByHook && !turn.ending) {
        turn.finish();
        turn.ending = this.#abort(turn, "interrupted", { marked: false });
        await turn.ending;
        return;
      }
      // An interruption ends the turn elsewhere.
      if (turn.signal.aborted) return;
      // Whatever went wrong, the turn ends: a session with a turn that never does would be lost.
      runtime.parts.logger.warn(`turn ${turn.id} ended unexpectedly: ${String(error)}`);
      failure = errorEvent(error);
    } finally {
      turn.finish();
    }
    if (turn.ending) return;
    turn.ending = this.#complete(runtime, turn, failure);
    await turn.ending;
  }

  async #complete(runtime: Runtime, turn: ActiveTurn, failure: ErrorEvent | undefined): Promise<void> {
    await this.#keepLeftovers(runtime, turn);
    if (failure) runtime.emit(turn.id, { type: "error", ...failure });
    const completed = completionEvent(runtime, turn, failure);
    runtime.record(completed);
    runtime.parts.recorder?.materialize();
    await runtime.flush(turn.id);
    // Before anybody learns of the end: whoever leaves then leaves a program that runs.
    if (!failure && turn.answered && !turn.stopped) runtime.parts.notify?.(turn);
    this.#release(runtime, turn);
    runtime.parts.events.publish({ id: turn.id, msg: completed });
    this.options.onIdle(failure ? "failed" : "completed");
  }

  /** Input that came too late for the model is not lost: it is part of the history. */
  async #keepLeftovers(runtime: Runtime, turn: ActiveTurn): Promise<void> {
    while (turn.input.hasPending)
      await recordInput(runtime, turn, turn.input.drain()).catch((error: unknown) =>
        runtime.parts.logger.warn(`input of turn ${turn.id} was not kept: ${String(error)}`),
      );
  }

  #release(runtime: Runtime, turn: ActiveTurn): void {
    runtime.parts.answers.clear(turn.id);
    runtime.parts.approvals.clear(turn.id);
    runtime.parts.permissionRequests.clear(turn.id);
    runtime.parts.mcpQuestions.clear(turn.id);
    if (this.#active === turn) this.#active = undefined;
  }

  /** Resolves when the active turn has been ended; at once when there is none. */
  async interrupt(): Promise<void> {
    const turn = this.#active;
    if (!turn) return;
    turn.ending ??= this.#abort(turn, "interrupted", { marked: true });
    await turn.ending;
  }

  /** Ends the active turn, if any, because another one takes its place. The model is told nothing of it. */
  async replace(): Promise<void> {
    const turn = this.#active;
    if (!turn) return;
    turn.ending ??= this.#abort(turn, "replaced", { marked: false });
    await turn.ending;
  }

  async #abort(
    turn: ActiveTurn,
    reason: "interrupted" | "replaced",
    { marked }: { readonly marked: boolean },
  ): Promise<void> {
    const runtime = this.options.runtime();
    const { clock, hooks, logger, recorder } = runtime.parts;
    turn.abort.abort();
    if (turn.started) await graceFor(turn.finished, (wake) => clock.after(INTERRUPT_GRACE_MS, wake));
    await turn.recording?.catch(() => {});
    turn.detach();
    reportStart(runtime, turn);
    await this.#keepLeftovers(runtime, turn);
    if (marked) runtime.recordItem(turn.id, turnAbortedMessage(), ["generic.turn_aborted"]);
    recorder?.materialize();
    await runtime.flush(turn.id);
    try {
      if (reason === "interrupted") await hooks?.interrupted?.(turn.id);
    } catch (error) {
      // The turn ends whatever becomes of them.
      logger.warn(`the hooks of an interruption failed: ${String(error)}`);
    }
    const aborted = abortedEvent(runtime, turn, reason);
    runtime.record(aborted);
    await runtime.flush(turn.id);
    runtime.parts.events.publish({ id: turn.id, msg: aborted });
    // Whoever still waits for a person learns of the end last, so that no wait looks like a refusal.
    this.#release(runtime, turn);
    this.options.onIdle(reason);
  }
}

async function graceFor(finished: Promise<void>, after: (wake: () => void) => () => void): Promise<void> {
  let cancel: (() => void) | undefined;
  await Promise.race([
    finished,
    new Promise<void>((resolve) => {
      cancel = after(resolve);
    }),
  ]);
  cancel?.();
}
