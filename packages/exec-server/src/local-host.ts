/**
 * The in-process host: processes are children of this very process.
 * Owns the table of live processes and their end; speaks no protocol.
 */
import { tmpdir, userInfo } from "node:os";
import { basename } from "node:path";
import type {
  HostEnvironment,
  HostProcess,
  HostProcessEvent,
  HostStartRequest,
  HostWriteStatus,
  ProcessHost,
} from "@turnkit/protocol/exec";
import { assertValid } from "@turnkit/protocol/validate";
import { ManagedProcess, type ManagedSpec } from "./process/managed-process.js";
import { SpawnError } from "./process/os-error.js";
import { workingBubblewrap } from "./sandbox/bubblewrap.js";
import { confine } from "./sandbox/confine.js";

/** For what this process starts beside the host: entries of a `stdio` array from index 3 on. */
export { coveringStdio } from "./process/inherited-descriptors.js";
export { type ConfinedCommandLine, confinedCommandLine } from "./sandbox/confined-command-line.js";
export { UnsupportedSandboxError } from "./sandbox/policy.js";
export { SpawnError };

export class LocalHost implements ProcessHost {
  readonly #live = new Map<string, ManagedProcess | "starting">();
  #disposed = false;

  environment(): Promise<HostEnvironment> {
    const path = loginShell();
    return Promise.resolve({ shell: { name: basename(path), path }, cwd: process.cwd(), tempDir: tmpdir() });
  }

  canConfine(): Promise<boolean> {
    return workingBubblewrap().then(
      () => true,
      () => false,
    );
  }

  /** @throws {SpawnError} with the operating system's words; the id is free again */
  async start(request: HostStartRequest, options?: { signal?: AbortSignal }): Promise<HostProcess> {
    const { processId } = request;
    if (this.#disposed) throw new SpawnError("the process host is closed");
    options?.signal?.throwIfAborted();
    if (this.#live.has(processId)) throw new SpawnError(`process ${processId} already exists`);
    if (request.argv.length === 0) throw new SpawnError("argv must not be empty");
    this.#live.set(processId, "starting");
    let managed: ManagedProcess;
    try {
      managed = await ManagedProcess.start(await specOf(request));
    } catch (error) {
      this.#live.delete(processId);
      throw error;
    }
    this.#live.set(processId, managed);
    const forget = () => this.#live.delete(processId);
    if (managed.log.closed) forget();
    else managed.onEvent((event) => event.type === "closed" && forget());
    if (this.#disposed || options?.signal?.aborted) {
      managed.terminate();
      options?.signal?.throwIfAborted();
      throw new SpawnError("the process host is closed");
    }
    return new LocalProcess(processId, managed);
  }

  /** Ends every process group and waits until each is closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const open = [...this.#live.values()].filter((entry) => entry !== "starting");
    for (const managed of open) managed.terminate();
    await Promise.all(open.map((managed) => managed.whenClosed()));
  }
}

/** The sandbox is in the exec-server's own terms; its paths may be native. @throws {SpawnError} it cannot be enforced */
async function specOf(request: HostStartRequest): Promise<ManagedSpec> {
  const { argv, cwd, env, tty, arg0, sandbox } = request;
  const pipeStdin = request.pipeStdin === true;
  const spec: ManagedSpec = { argv, cwd, env, tty, arg0, pipeStdin, looksDenied: undefined, ended: undefined };
  if (sandbox === undefined || sandbox === null) return spec;
  try {
    return await confine(spec, assertValid("ExecSandbox", sandbox, "sandbox"), process.env);
  } catch (error) {
    if (error instanceof SpawnError) throw error;
    throw new SpawnError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

class LocalProcess implements HostProcess {
  readonly #managed: ManagedProcess;

  constructor(
    readonly processId: string,
    managed: ManagedProcess,
  ) {
    this.#managed = managed;
  }

  subscribe(listener: (event: HostProcessEvent) => void): () => void {
    for (const event of this.#managed.log.events()) listener(event);
    return this.#managed.log.closed ? () => {} : this.#managed.onEvent(listener);
  }

  async write(bytes: Uint8Array): Promise<HostWriteStatus> {
    const stdin = this.#managed.stdin;
    if (!stdin) return "stdinClosed";
    if (!(await stdin.reserve())) return "unknownProcess";
    stdin.send(Uint8Array.from(bytes));
    return "accepted";
  }

  async interrupt(): Promise<void> {
    this.#managed.interrupt();
  }

  async terminate(): Promise<boolean> {
    return this.#managed.terminate();
  }

  async resize(rows: number, cols: number): Promise<boolean> {
    return this.#managed.resize(rows, cols);
  }
}

function loginShell(): string {
  try {
    return userInfo().shell || "/bin/sh";
  } catch {
    return "/bin/sh";
  }
}
