/**
 * The port behind which operating-system processes run: the client's view of `process/*`.
 * Owns no behaviour. `@turnkit/exec-server` implements it twice (in-process and over a connection);
 * `@turnkit/tools` is its user.
 */
/// <reference lib="esnext.disposable" preserve="true" />

/** How a process is to be started. Paths are native absolute paths, not URIs. */
export interface HostStartRequest {
  /** Chosen by the caller, unique among the host's live and retained processes. */
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The exact environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** true: a pseudo-terminal of 24 × 80; false: pipes. */
  readonly tty: boolean;
  /** Pipes only: keep stdin open for writes. false: stdin is at end of file. */
  readonly pipeStdin?: boolean | undefined;
  readonly arg0?: string | undefined;
  /** Opaque to the tools: what the host is asked to confine the process with. */
  readonly sandbox?: unknown;
}

/** The platform's `AbortSignal` where there is one: this package names no platform's types. */
export type HostAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean };

export type HostStream = "stdout" | "stderr" | "pty";

/**
 * Events of one process, delivered in `seq` order without gaps, each exactly once.
 * Order of endings: `exited`, then perhaps more `output`, then `closed`. `failed` replaces whatever was
 * still to come (the host lost the process and could not recover it) and is final.
 */
export type HostProcessEvent =
  | { readonly type: "output"; readonly seq: number; readonly stream: HostStream; readonly bytes: Uint8Array }
  | { readonly type: "exited"; readonly seq: number; readonly exitCode: number; readonly sandboxDenied: boolean }
  | { readonly type: "closed"; readonly seq: number }
  | { readonly type: "failed"; readonly message: string };

export type HostWriteStatus = "accepted" | "unknownProcess" | "stdinClosed" | "starting";

export interface HostProcess {
  readonly processId: string;
  /** Replays every event since the start that is still retained, then follows. Returns the unsubscriber. */
  subscribe(listener: (event: HostProcessEvent) => void): () => void;
  /** Resolves once the host took the bytes; each call's bytes reach the process at most once.
   *  @throws {HostTransportError} the connection is gone for good */
  write(bytes: Uint8Array): Promise<HostWriteStatus>;
  /** SIGINT to the process group; silently nothing when it has ended. */
  interrupt(): Promise<void>;
  /** SIGKILL to the process group. true: it was running. */
  terminate(): Promise<boolean>;
  /** Terminals only; false where the host cannot. */
  resize?(rows: number, cols: number): Promise<boolean>;
}

export interface HostEnvironment {
  readonly shell: { readonly name: string; readonly path: string };
  /** Native absolute path. */
  readonly cwd: string;
  readonly tempDir: string;
}

export interface ProcessHost extends AsyncDisposable {
  environment(): Promise<HostEnvironment>;
  /** Whether a start with a sandbox can be honoured here. Absent: it cannot. */
  canConfine?(): Promise<boolean>;
  /** Rejects with the operating system's words when the process cannot be started; the id is free again. */
  start(request: HostStartRequest, options?: { signal?: HostAbortSignal }): Promise<HostProcess>;
}
