/** A process host without processes: the test says what each one prints, when it ends and how writes fare. */
import type {
  HostEnvironment,
  HostProcess,
  HostProcessEvent,
  HostStartRequest,
  HostWriteStatus,
  ProcessHost,
} from "@turnkit/protocol/exec";

type EventOf<T extends HostProcessEvent["type"]> = Omit<Extract<HostProcessEvent, { type: T }>, "seq">;

export class FakeProcess implements HostProcess {
  readonly processId: string;
  readonly written: string[] = [];
  interrupts = 0;
  terminations = 0;
  /** What the next writes answer; an Error is thrown. Empty: accepted. */
  readonly writeResults: (HostWriteStatus | Error)[] = [];
  onWrite: ((text: string) => void) | undefined;
  readonly #events: HostProcessEvent[] = [];
  readonly #listeners = new Set<(event: HostProcessEvent) => void>();
  #seq = 0;

  constructor(readonly request: HostStartRequest) {
    this.processId = request.processId;
  }

  subscribe(listener: (event: HostProcessEvent) => void): () => void {
    for (const event of this.#events) listener(event);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #deliver(event: HostProcessEvent): void {
    this.#events.push(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  print(output: string | Uint8Array): void {
    const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
    this.#deliver({ type: "output", seq: ++this.#seq, stream: this.request.tty ? "pty" : "stdout", bytes });
  }

  /** Exit without the end of output. */
  exitOnly(exitCode: number, details: Partial<EventOf<"exited">> = {}): void {
    this.#deliver({ type: "exited", seq: ++this.#seq, exitCode, sandboxDenied: details.sandboxDenied ?? false });
  }

  close(): void {
    this.#deliver({ type: "closed", seq: ++this.#seq });
  }

  exit(exitCode: number): void {
    this.exitOnly(exitCode);
    this.close();
  }

  fail(message: string): void {
    this.#deliver({ type: "failed", message });
  }

  async write(bytes: Uint8Array): Promise<HostWriteStatus> {
    const result = this.writeResults.shift() ?? "accepted";
    if (result instanceof Error) throw result;
    const text = new TextDecoder().decode(bytes);
    if (result === "accepted") this.written.push(text);
    this.onWrite?.(text);
    return result;
  }

  async interrupt(): Promise<void> {
    this.interrupts += 1;
  }

  async terminate(): Promise<boolean> {
    this.terminations += 1;
    const running = !this.#events.some((event) => event.type === "exited" || event.type === "failed");
    if (running) this.exit(137);
    return running;
  }
}

export class FakeProcessHost implements ProcessHost {
  readonly processes: FakeProcess[] = [];
  startError: Error | undefined;
  /** Runs as soon as a process is started. */
  onStart: ((process: FakeProcess) => void) | undefined;

  async environment(): Promise<HostEnvironment> {
    return { shell: { name: "bash", path: "/bin/bash" }, cwd: "/", tempDir: "/tmp" };
  }

  async start(request: HostStartRequest): Promise<HostProcess> {
    if (this.startError) throw this.startError;
    const process = new FakeProcess(request);
    this.processes.push(process);
    this.onStart?.(process);
    return process;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
