/**
 * One process with its history: numbers its events, keeps what is retained and tells its subscribers.
 * Owns the life from start to close. Write ids, sessions and frames belong to the server.
 */
import type { HostProcessEvent, HostStream } from "@turnkit/protocol/exec";
import type { Child, ChildListener, ChildSpec } from "./child.js";
import { EndedChild } from "./ended-child.js";
import { guard } from "./guardian.js";
import { OutputLog } from "./output-log.js";
import { startPipeProcess } from "./pipe-process.js";
import { startPtyProcess } from "./pty-process.js";

export interface ManagedSpec extends ChildSpec {
  readonly tty: boolean;
  /** Looks at the output of a confined process that failed; undefined: it was not confined. */
  readonly looksDenied: ((exitCode: number, output: Uint8Array) => boolean) | undefined;
  /** Called once, when the process has exited or could not be started. */
  readonly ended: (() => void) | undefined;
}

type Subscribers = Set<(event: HostProcessEvent) => void>;

/** Stays empty: of every process that has closed, which tells nothing more. */
const NOBODY: Subscribers = new Set();

export class ManagedProcess implements ChildListener {
  readonly log = new OutputLog();
  readonly tty: boolean;
  #looksDenied: ManagedSpec["looksDenied"];
  #ended: ManagedSpec["ended"];
  #subscribers: Subscribers;
  #child: Child | undefined;
  #release: (() => void) | undefined;
  #terminated = false;

  private constructor(spec: ManagedSpec, listener: ((event: HostProcessEvent) => void) | undefined) {
    this.tty = spec.tty;
    this.#subscribers = new Set(listener && [listener]);
    this.#looksDenied = spec.looksDenied;
    this.#ended = spec.ended;
  }

  /**
   * `listener` misses nothing: events may come before the start has returned.
   * @throws {SpawnError} with the operating system's words
   */
  static async start(spec: ManagedSpec, listener?: (event: HostProcessEvent) => void): Promise<ManagedProcess> {
    const managed = new ManagedProcess(spec, listener);
    const confined = spec.looksDenied !== undefined;
    try {
      managed.#child = await (spec.tty ? startPtyProcess(spec, managed) : startPipeProcess(spec, managed, confined));
    } catch (error) {
      spec.ended?.();
      throw error;
    }
    if (managed.log.closed) managed.#forgetChild();
    if (!managed.log.exited) managed.#release = guard(managed.pid);
    return managed;
  }

  get pid(): number {
    return (this.#child as Child).pid;
  }

  /** undefined: stdin is at end of file. */
  get stdin() {
    return this.#child?.stdin;
  }

  get running(): boolean {
    return this.log.exited === undefined;
  }

  get terminated(): boolean {
    return this.#terminated;
  }

  /** Later events only; what is retained is in `log`. */
  onEvent(listener: (event: HostProcessEvent) => void): () => void {
    if (this.log.closed) return () => {};
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  whenClosed(): Promise<void> {
    if (this.log.closed) return Promise.resolve();
    return new Promise((resolve) => this.onEvent((event) => event.type === "closed" && resolve()));
  }

  interrupt(): void {
    this.#child?.interrupt();
  }

  /** true: it had not exited. */
  terminate(): boolean {
    const running = this.running;
    this.#terminated = true;
    this.#child?.kill();
    return running;
  }

  resize(rows: number, cols: number): boolean {
    if (!this.#child?.resize || !this.running) return false;
    this.#child.resize(rows, cols);
    return true;
  }

  closeStdin(): void {
    this.#child?.closeStdin();
  }

  pause(): void {
    this.#child?.pause();
  }

  resume(): void {
    this.#child?.resume();
  }

  output(stream: HostStream, bytes: Uint8Array): void {
    this.#tell(this.log.output(stream, bytes));
  }

  exited(exitCode: number): void {
    this.#release?.();
    this.#release = undefined;
    this.#ended?.();
    this.#ended = undefined;
    const output =
      this.#looksDenied && exitCode !== 0 ? Buffer.concat([...this.log.after(0)].map((e) => e.bytes)) : undefined;
    this.#tell(this.log.exit(exitCode, output !== undefined && this.#looksDenied?.(exitCode, output) === true));
    this.#looksDenied = undefined;
  }

  closed(): void {
    this.#tell(this.log.close());
    this.#subscribers = NOBODY;
    this.#forgetChild();
  }

  #forgetChild(): void {
    if (this.#child) this.#child = new EndedChild(this.#child, this.#terminated);
  }

  #tell(event: HostProcessEvent): void {
    for (const listener of [...this.#subscribers]) listener(event);
  }
}
