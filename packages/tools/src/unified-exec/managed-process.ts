/**
 * One running command: what its host reported so far, the output nobody has read yet, and the whole transcript.
 * Owns the state of one process. Does not own ids or the table of processes.
 */
import type { HostProcess, HostProcessEvent, HostWriteStatus } from "@turnkit/protocol/exec";
import type { OutputSource } from "./collect-output.js";
import { ProcessLost, WriteFailed } from "./errors.js";
import { InteractionLock } from "./interaction-lock.js";
import { OutputWindow } from "./output-window.js";

/** Facts of the call that started the process. */
export interface ProcessOrigin {
  readonly sessionId: number;
  readonly callId: string;
  readonly turnId: string;
  /** As the model asked for it. */
  readonly command: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  /** When its host was asked to start it: Unix milliseconds, and milliseconds of the clock. */
  readonly startedAt: { readonly epochMs: number; readonly clockMs: number };
}

export class ManagedProcess implements OutputSource {
  readonly pending = new OutputWindow();
  readonly transcript = new OutputWindow();
  readonly interaction = new InteractionLock();
  lastUsed = 0;
  /** Polls in a row that brought nothing. */
  silentPolls = 0;
  #exitCode: number | undefined;
  #exited = false;
  #closed = false;
  #failure: string | undefined;
  #sandboxDenied = false;
  #outputCancelled = false;
  #terminated = false;
  readonly #activity = new Set<() => void>();
  readonly #outputListeners = new Set<(bytes: Uint8Array) => void>();
  readonly #unsubscribe: () => void;

  constructor(
    readonly origin: ProcessOrigin,
    readonly host: HostProcess,
  ) {
    this.#unsubscribe = host.subscribe((event) => this.#receive(event));
  }

  get exited(): boolean {
    return this.#exited;
  }
  get exitCode(): number | undefined {
    return this.#exitCode;
  }
  get outputClosed(): boolean {
    return this.#closed || this.#outputCancelled;
  }
  /** The host lost the process: why. */
  get failure(): string | undefined {
    return this.#failure;
  }
  get sandboxDenied(): boolean {
    return this.#sandboxDenied;
  }

  onActivity(listener: () => void): () => void {
    this.#activity.add(listener);
    return () => this.#activity.delete(listener);
  }

  /** Every byte from now on. */
  onOutput(listener: (bytes: Uint8Array) => void): () => void {
    this.#outputListeners.add(listener);
    return () => this.#outputListeners.delete(listener);
  }

  /** The host no longer knows the process, or its input is gone: nothing more is expected of it. */
  markExited(): void {
    this.#exited = true;
    this.#outputCancelled = true;
    this.#wake();
  }

  /** Resolves when the process has ended or was lost. */
  async ended(): Promise<void> {
    while (!this.#exited) await this.#nextActivity();
  }

  /** Resolves when no more output can come. */
  async drained(): Promise<void> {
    while (!this.outputClosed) await this.#nextActivity();
  }

  /**
   * Writes to the process's input.
   * @throws {WriteFailed} the host did not take the bytes
   * @throws {ProcessLost} the connection to the host is gone
   */
  async write(bytes: Uint8Array): Promise<void> {
    let status: HostWriteStatus;
    try {
      status = await this.host.write(bytes);
    } catch (error) {
      throw new ProcessLost(error instanceof Error ? error.message : String(error));
    }
    if (status === "accepted") return;
    if (status === "unknownProcess" || status === "stdinClosed") this.markExited();
    throw new WriteFailed();
  }

  /** Ends the process on our own account; its exit code is then not the program's. */
  async terminate(): Promise<void> {
    this.#terminated = !this.#exited;
    await this.host.terminate().catch(() => false);
  }

  get terminated(): boolean {
    return this.#terminated;
  }

  /** The process is given up: nothing it still reports counts. */
  fail(message: string): void {
    this.#failure ??= message;
    this.#exited = true;
    this.#closed = true;
    this.#wake();
  }

  release(): void {
    this.#unsubscribe();
  }

  #nextActivity(): Promise<void> {
    return new Promise((resolve) => {
      const undo = this.onActivity(() => {
        undo();
        resolve();
      });
    });
  }

  #receive(event: HostProcessEvent): void {
    switch (event.type) {
      case "output":
        if (this.#outputCancelled) return;
        this.pending.push(event.bytes);
        this.transcript.push(event.bytes);
        for (const listener of [...this.#outputListeners]) listener(event.bytes);
        break;
      case "exited":
        this.#exited = true;
        this.#exitCode = event.exitCode;
        this.#sandboxDenied = event.sandboxDenied;
        break;
      case "closed":
        this.#closed = true;
        break;
      case "failed":
        this.fail(event.message);
        return;
    }
    this.#wake();
  }

  #wake(): void {
    for (const listener of [...this.#activity]) listener();
  }
}
