/**
 * Runs the handlers an event concerns: all of them at once, reported in their configured order. Owns selection,
 * events, and the hooks that run beside everything else. Does not own what results mean to a turn.
 */
import type { HookRunSummary } from "@turnkit/protocol";
import type { Clock, Logger } from "@turnkit/tools";
import type { CommandHandler } from "./hook-config.js";
import { fitHookText } from "./hook-context.js";
import type { HookEvent } from "./hook-event.js";
import { compileMatcher, type HookMatcher } from "./hook-matcher.js";
import { type HookResult, readHookOutput } from "./hook-output.js";
import { type CoverDescriptors, type HookCommand, type HookCommandResult, runHookCommand } from "./run-command.js";

export interface HookRunnerOptions {
  /** Those that may run, in order over all files. */
  readonly handlers: readonly CommandHandler[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shell: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder for outputs that are too long for the model. */
  readonly spillFolder: string;
  readonly reportStart: (turnId: string | null, run: HookRunSummary) => void;
  readonly reportEnd: (turnId: string | null, run: HookRunSummary) => void;
  readonly coverDescriptors?: CoverDescriptors | undefined;
  /** Replaced in tests. */
  readonly run?: ((command: HookCommand) => Promise<HookCommandResult>) | undefined;
}

export interface HookOccasion {
  readonly event: HookEvent;
  /** What matchers look at; undefined: there is nothing to match. */
  readonly subject: string | undefined;
  readonly turnId: string | null;
  /** The JSON members that every handler of the event gets. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Tells runs of the same handler apart, such as a call's id. */
  readonly idSuffix?: string | undefined;
}

export interface HookRun {
  readonly id: string;
  readonly result: HookResult;
}

export interface HookRuns {
  /** In configured order. */
  readonly runs: readonly HookRun[];
  /** Of the handler that ended last among those that rewrite. */
  readonly updatedInput: { readonly value: unknown } | undefined;
}

interface Numbered {
  readonly handler: CommandHandler;
  readonly order: number;
  readonly matches: HookMatcher;
}

const MAX_BACKGROUND_RUNS = 8;

export class HookRunner {
  readonly #handlers: readonly Numbered[];
  readonly #background = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  readonly #stop = new AbortController();
  #backgroundContexts: string[] = [];

  constructor(private readonly options: HookRunnerOptions) {
    const handlers: Numbered[] = [];
    for (const [order, handler] of options.handlers.entries()) {
      const matches = handler.event.matches ? compileMatcher(handler.matcher) : () => true;
      if (matches) handlers.push({ handler, order, matches });
      else
        options.logger.warn(
          `${handler.sourcePath}: the matcher ${JSON.stringify(handler.matcher)} is not a regular expression; its hook is skipped`,
        );
    }
    this.#handlers = handlers;
  }

  has(event: HookEvent): boolean {
    return this.#handlers.some(({ handler }) => handler.event === event);
  }

  async run(occasion: HookOccasion): Promise<HookRuns> {
    const chosen = this.#handlers.filter(
      ({ handler, matches }) =>
        handler.event === occasion.event && (occasion.subject === undefined || matches(occasion.subject)),
    );
    for (const { handler } of chosen.filter(({ handler }) => handler.async)) this.#startBackground(handler, occasion);
    const sync = chosen.filter(({ handler }) => !handler.async);
    let updatedInput: HookRuns["updatedInput"];
    const runs = await Promise.all(
      sync.map(async ({ handler, order }) => {
        const run = await this.#runReported(handler, order, occasion);
        if (run.result.updatedInput) ({ updatedInput } = run.result);
        return run;
      }),
    );
    return { runs, updatedInput };
  }

  async #runReported(handler: CommandHandler, order: number, occasion: HookOccasion): Promise<HookRun> {
    const { clock, reportStart, reportEnd } = this.options;
    const started = clock.epochMs();
    const begin = clock.now();
    const suffix = occasion.idSuffix === undefined ? "" : `:${occasion.idSuffix}`;
    const summary: HookRunSummary = {
      id: `${handler.event.label}:${order}:${handler.sourcePath}${suffix}`,
      event_name: handler.event.name,
      handler_type: "command",
      execution_mode: "sync",
      scope: handler.event.scope,
      source_path: handler.sourcePath,
      source: handler.source,
      display_order: order,
      status: "running",
      status_message: handler.statusMessage ?? null,
      started_at: started,
      completed_at: null,
      duration_ms: null,
      entries: [],
    };
    reportStart(occasion.turnId, summary);
    const result = await this.#execute(handler, occasion, occasion.signal);
    reportEnd(occasion.turnId, {
      ...summary,
      status: result.status,
      entries: [...result.entries],
      completed_at: clock.epochMs(),
      duration_ms: Math.round(clock.now() - begin),
    });
    return { id: summary.id, result };
  }

  async #execute(handler: CommandHandler, occasion: HookOccasion, signal: AbortSignal): Promise<HookResult> {
    const { shell, environment, spillFolder, coverDescriptors } = this.options;
    const result = readHookOutput(
      handler.event,
      await (this.options.run ?? runHookCommand)({
        command: handler.command,
        cwd: occasion.cwd,
        environment,
        shell,
        stdin: JSON.stringify(occasion.input),
        timeout: handler.timeout,
        signal,
        coverDescriptors,
      }),
    );
    const fit = (text: string) => fitHookText(text, { folder: spillFolder, limit: handler.additionalContextLimit });
    const contexts = await Promise.all(result.contexts.map(fit));
    const continues = handler.event.name === "stop" || handler.event.name === "subagent_stop";
    const blockReason =
      continues && result.blockReason !== undefined ? await fit(result.blockReason) : result.blockReason;
    return { ...result, contexts, blockReason };
  }

  /** Nobody waits for these and they decide nothing; what they say is told at the next chance. */
  #startBackground(handler: CommandHandler, occasion: HookOccasion): void {
    const work = (async () => {
      if (this.#background.size >= MAX_BACKGROUND_RUNS)
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (this.#stop.signal.aborted) return;
      const result = await this.#execute(handler, occasion, this.#stop.signal);
      this.#backgroundContexts.push(...result.contexts);
      if (result.status === "failed")
        this.options.logger.warn(`${handler.sourcePath}: ${result.entries.map(({ text }) => text).join("; ")}`);
    })();
    const tracked = work.finally(() => {
      this.#background.delete(tracked);
      this.#waiting.shift()?.();
    });
    this.#background.add(tracked);
  }

  /** Resolves once the hooks that run in the background now have ended. */
  async backgroundIdle(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** What background hooks have said since the last time. */
  takeBackgroundContexts(): readonly string[] {
    return this.#backgroundContexts.splice(0);
  }

  /** Ends the hooks that run in the background. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const wake of this.#waiting.splice(0)) wake();
    await this.backgroundIdle();
  }
}
