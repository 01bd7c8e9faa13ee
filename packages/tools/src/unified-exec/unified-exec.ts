/**
 * Long-lived commands of one session: starting, writing, polling, listing, ending.
 * Owns the flow of exec_command and write_stdin after their arguments are known. Does not own argument parsing,
 * approval, or the text the model reads.
 */
import type { EventMsg } from "@turnkit/protocol";
import type { HostProcess, ProcessHost } from "@turnkit/protocol/exec";
import type { Clock, NetworkApproval, NetworkApprovals, PauseSignal } from "../ports.js";
import { ToolAborted, type ToolTurn } from "../tool.js";
import { collectOutput } from "./collect-output.js";
import {
  CreateProcessError,
  NetworkDenied,
  ProcessLost,
  StdinClosed,
  UnifiedExecError,
  UnknownProcess,
} from "./errors.js";
import {
  AFTER_WRITE_PAUSE_MS,
  DEFAULT_MAX_POLL_MS,
  DEFAULT_WRITE_YIELD_MS,
  EARLY_EXIT_GRACE_MS,
  execYield,
  LATE_DENIAL_GRACE_MS,
  MIN_POLL_YIELD_MS,
  patientYield,
  writeYield,
} from "./limits.js";
import { ManagedProcess } from "./managed-process.js";
import type { WindowContent } from "./output-window.js";
import { ProcessEvents } from "./process-events.js";
import { ProcessTable, type TerminalRow } from "./process-table.js";

export interface UnifiedExecOptions {
  readonly host: ProcessHost;
  readonly clock: Clock;
  readonly pause: PauseSignal;
  readonly emit: (turnId: string, event: EventMsg) => void;
  /** Longest wait of an empty poll, in milliseconds. */
  readonly maxPollMs?: number | undefined;
  readonly network?: NetworkApprovals | undefined;
  readonly random?: (() => number) | undefined;
}

export interface ExecRequest {
  /** Reserved with `reserveId`. */
  readonly sessionId: number;
  readonly callId: string;
  readonly turn: ToolTurn;
  readonly command: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tty: boolean;
  readonly yieldMs: number;
  readonly sandbox: unknown;
  /** A command that its sandbox stops within the grace is not reported: the caller may run it again. */
  readonly holdsDenial: boolean;
  readonly signal: AbortSignal;
}

export interface WriteRequest {
  readonly sessionId: number;
  readonly chars: string;
  /** undefined: the default, which grows with the polls that bring nothing. */
  readonly yieldMs: number | undefined;
  readonly turnId: string;
  readonly signal: AbortSignal;
}

export interface ExecResult {
  readonly chunkId: string;
  readonly wallTimeMs: number;
  readonly content: WindowContent;
  readonly exitCode: number | undefined;
  /** undefined: the process has ended. */
  readonly sessionId: number | undefined;
  readonly process: ManagedProcess;
  /** Set on a denial that was held back: reports the command after all. */
  readonly report: (() => void) | undefined;
}

/** State kept beside a stored process. */
interface Companion {
  readonly followed: Promise<void>;
  readonly approval: NetworkApproval | undefined;
}

export class UnifiedExec {
  readonly #table: ProcessTable;
  readonly #companions = new WeakMap<ManagedProcess, Companion>();
  readonly #random: () => number;

  constructor(private readonly options: UnifiedExecOptions) {
    this.#random = options.random ?? Math.random;
    this.#table = new ProcessTable(this.#random);
  }

  reserveId(): number {
    return this.#table.reserveId();
  }

  releaseId(id: number): void {
    this.#table.releaseId(id);
  }

  /** @throws {UnifiedExecError} @throws {ToolAborted} */
  async exec(request: ExecRequest): Promise<ExecResult> {
    const { clock } = this.options;
    const approval = this.options.network?.register(request.turn, request.callId, request.command);
    const process = await this.#start(request, approval);
    const events = new ProcessEvents({ process, clock, emit: this.options.emit });
    try {
      await this.#earlyExit(process, request.signal);
    } catch (error) {
      await process.terminate();
      this.#table.releaseId(request.sessionId);
      await approval?.finish();
      throw error;
    }
    if (request.holdsDenial && process.exited && process.sandboxDenied) return this.#held(process, events, approval);
    events.begin();
    const start = clock.now();
    const stored = !process.exited;
    let followed: Promise<void> = Promise.resolve();
    if (stored) {
      process.lastUsed = start;
      const victim = this.#table.store(process);
      if (victim) void victim.terminate();
      followed = events.follow(() => this.#settleApproval(process, approval));
      this.#companions.set(process, { followed, approval });
      this.#watchDenial(process, approval);
    }
    const content = await collectOutput({
      source: process,
      clock,
      pause: this.options.pause,
      signal: request.signal,
      deadline: start + execYield(request.yieldMs),
    }).catch((error: unknown) => {
      // An ended command that nobody will ask about again is still reported.
      if (!stored) this.#endShortLived(request.sessionId, events, approval);
      throw error;
    });
    const wallTimeMs = clock.now() - start;
    if (!stored) this.#endShortLived(request.sessionId, events, approval);
    await this.#throwDenialOrFailure(process, approval);
    if (stored) {
      if (!this.#table.holds(process)) throw new UnknownProcess(request.sessionId);
      if (process.exited) {
        this.#table.remove(process);
        await followed;
      }
    }
    return this.#result(process, content, wallTimeMs);
  }

  /** The id is free again, and nothing is known of the command until it is reported. */
  #held(process: ManagedProcess, events: ProcessEvents, approval: NetworkApproval | undefined): ExecResult {
    this.#table.releaseId(process.origin.sessionId);
    void approval?.finish();
    const report = () => {
      events.begin();
      events.end();
    };
    return { ...this.#result(process, process.pending.content(), 0), report };
  }

  #endShortLived(sessionId: number, events: ProcessEvents, approval: NetworkApproval | undefined): void {
    events.end();
    this.#table.releaseId(sessionId);
    void approval?.finish();
  }

  async #start(request: ExecRequest, approval: NetworkApproval | undefined): Promise<ManagedProcess> {
    const { clock } = this.options;
    const startedAt = { epochMs: clock.epochMs(), clockMs: clock.now() };
    let hostProcess: HostProcess;
    try {
      hostProcess = await this.options.host.start(
        {
          // Unique beyond this session and beyond an id's reuse: hosts keep ended processes for a while.
          processId: `${request.sessionId}-${this.#hex(16)}`,
          argv: request.argv,
          cwd: request.cwd,
          env: approval ? { ...request.env, ...approval.env } : request.env,
          tty: request.tty,
          sandbox: request.sandbox,
        },
        { signal: request.signal },
      );
    } catch (error) {
      this.#table.releaseId(request.sessionId);
      await approval?.finish();
      if (request.signal.aborted) throw new ToolAborted();
      throw new CreateProcessError(
        `Failed to create unified exec process: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    const { sessionId, callId, turn, command, argv, cwd, tty } = request;
    return new ManagedProcess({ sessionId, callId, turnId: turn.id, command, argv, cwd, tty, startedAt }, hostProcess);
  }

  /** A command that ends within the grace is never announced as a terminal. */
  async #earlyExit(process: ManagedProcess, signal: AbortSignal): Promise<void> {
    const undo: (() => void)[] = [];
    try {
      await new Promise<void>((resolve, reject) => {
        const check = () => {
          if (process.exited && process.outputClosed) resolve();
        };
        undo.push(process.onActivity(check), this.options.clock.after(EARLY_EXIT_GRACE_MS, resolve));
        const abort = () => reject(new ToolAborted());
        signal.addEventListener("abort", abort, { once: true });
        undo.push(() => signal.removeEventListener("abort", abort));
        if (signal.aborted) abort();
        check();
      });
    } finally {
      for (const each of undo) each();
    }
  }

  /** @throws {UnifiedExecError} @throws {ToolAborted} */
  async write(request: WriteRequest): Promise<ExecResult> {
    const process = this.#table.find(request.sessionId);
    if (!process) throw new UnknownProcess(request.sessionId);
    const release = await acquire(process, request.signal);
    let result: ExecResult;
    try {
      if (!this.#table.holds(process)) throw new UnknownProcess(request.sessionId);
      result = await this.#writeAndCollect(process, request);
      if (request.chars !== "" || result.sessionId !== undefined)
        this.options.emit(request.turnId, {
          type: "terminal_interaction",
          call_id: process.origin.callId,
          process_id: String(request.sessionId),
          stdin: request.chars,
        });
    } finally {
      release();
    }
    // The end of the command is reported before the model goes on.
    if (result.sessionId === undefined) await this.#companions.get(process)?.followed;
    return result;
  }

  async #writeAndCollect(process: ManagedProcess, request: WriteRequest): Promise<ExecResult> {
    const { clock, pause } = this.options;
    process.lastUsed = clock.now();
    const isPoll = request.chars === "";
    if (!isPoll) await this.#deliver(process, request);
    const start = clock.now();
    const maxPoll = this.options.maxPollMs ?? DEFAULT_MAX_POLL_MS;
    const isPatient = request.yieldMs === undefined && isPoll;
    const yieldMs = isPatient
      ? patientYield(process.silentPolls, maxPoll)
      : writeYield(request.yieldMs ?? DEFAULT_WRITE_YIELD_MS, isPoll, maxPoll);
    const content = await collectOutput({
      source: process,
      clock,
      pause,
      signal: request.signal,
      deadline: start + yieldMs,
      afterOutputMs: isPatient ? MIN_POLL_YIELD_MS : undefined,
    });
    const wallTimeMs = clock.now() - start;
    process.silentPolls = isPoll && content.totalBytes === 0 ? process.silentPolls + 1 : 0;
    const approval = this.#companions.get(process)?.approval;
    await this.#throwDenialOrFailure(process, approval);
    if (this.#table.holds(process)) {
      if (process.exited) this.#table.remove(process);
    } else if (!process.exited) throw new UnknownProcess(request.sessionId);
    return this.#result(process, content, wallTimeMs);
  }

  async #deliver(process: ManagedProcess, request: WriteRequest): Promise<void> {
    if (!process.origin.tty) {
      if (request.chars !== "\u0003") throw new StdinClosed();
      await process.host.interrupt();
      return;
    }
    try {
      await process.write(new TextEncoder().encode(request.chars));
    } catch (error) {
      // The bytes came too late: the caller reads the end of the process instead of an error.
      if (process.exited) return;
      if (error instanceof ProcessLost) {
        await process.terminate();
        this.#table.remove(process);
        process.fail(error.reason);
      }
      throw error;
    }
    await pauseFor(this.options.clock, AFTER_WRITE_PAUSE_MS, request.signal);
  }

  #result(process: ManagedProcess, content: WindowContent, wallTimeMs: number): ExecResult {
    return {
      chunkId: this.#hex(6),
      wallTimeMs,
      content,
      exitCode: process.exited ? process.exitCode : undefined,
      sessionId: process.exited ? undefined : process.origin.sessionId,
      process,
      report: undefined,
    };
  }

  async #throwDenialOrFailure(process: ManagedProcess, approval: NetworkApproval | undefined): Promise<void> {
    if (approval?.denied !== undefined) {
      const message = (await approval.finish()) ?? approval.denied;
      this.#table.remove(process);
      await process.terminate();
      throw new NetworkDenied(message);
    }
    if (process.failure !== undefined) {
      const denial = await approval?.finish();
      this.#table.remove(process);
      if (denial !== undefined) {
        await process.terminate();
        throw new NetworkDenied(denial);
      }
      throw new ProcessLost(process.failure);
    }
  }

  #watchDenial(process: ManagedProcess, approval: NetworkApproval | undefined): void {
    const undo = approval?.onDenied(() => {
      undo?.();
      void process.terminate();
    });
  }

  /** A denial that arrives together with the exit still counts. */
  async #settleApproval(process: ManagedProcess, approval: NetworkApproval | undefined): Promise<void> {
    if (!approval) return;
    if (approval.denied === undefined)
      await new Promise<void>((resolve) => {
        const undo = approval.onDenied(() => resolve());
        this.options.clock.after(LATE_DENIAL_GRACE_MS, () => {
          undo();
          resolve();
        });
      });
    const denial = await approval.finish();
    if (denial !== undefined) process.fail(denial);
  }

  list(): readonly TerminalRow[] {
    return this.#table.list();
  }

  /** Ends one live terminal. false: there is none with this id. */
  async terminate(sessionId: number): Promise<boolean> {
    const process = this.#table.find(sessionId);
    if (!process || process.exited) return false;
    await process.terminate();
    this.#table.remove(process);
    return true;
  }

  /** Ends every process and forgets all of them; resolves when their ends were reported. */
  async clean(): Promise<void> {
    const processes = this.#table.all();
    for (const process of processes) this.#table.remove(process);
    await Promise.all(
      processes.map(async (process) => {
        await process.terminate();
        await this.#companions.get(process)?.followed;
      }),
    );
  }

  #hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += Math.floor(this.#random() * 16).toString(16);
    return text;
  }
}

/** The lock of the process, unless the turn ends first. */
async function acquire(process: ManagedProcess, signal: AbortSignal): Promise<() => void> {
  const acquired = process.interaction.acquire();
  const release = await unlessAborted(acquired, signal);
  if (release) return release;
  // The place in the line is given up as soon as it is reached.
  void acquired.then((later) => later());
  throw new ToolAborted();
}

async function pauseFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel: (() => void) | undefined;
  const pause = new Promise<true>((resolve) => {
    cancel = clock.after(ms, () => resolve(true));
  });
  await unlessAborted(pause, signal);
  cancel?.();
}

/** undefined: the signal came first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let abort: () => void = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

export { UnifiedExecError };
