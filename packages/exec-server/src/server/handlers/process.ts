/**
 * `process/*`: the wire's view of a session's processes.
 * Owns the checks and answers of each method; processes themselves live in the registry.
 */

import { RpcErrorCode } from "@turnkit/protocol";
import type {
  ProcessCloseStdinParams,
  ProcessReadParams,
  ProcessReadResponse,
  ProcessResizeParams,
  ProcessResizeResponse,
  ProcessSignalParams,
  ProcessStartParams,
  ProcessStartResponse,
  ProcessTerminateParams,
  ProcessTerminateResponse,
  ProcessWriteParams,
  ProcessWriteResponse,
} from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { PathUriError, pathFromUri } from "../../path-uri.js";
import type { ManagedProcess, ManagedSpec } from "../../process/managed-process.js";
import { confine } from "../../sandbox/confine.js";
import { UnsupportedSandboxError } from "../../sandbox/policy.js";
import { decodeBase64 } from "../base64.js";
import { environmentFor } from "../env-policy.js";
import { type ProcessRegistry, StartRefusedError } from "../process-registry.js";
import { ShellSnapshots } from "../shell-snapshot.js";
import type { HandlerContext } from "./handler-context.js";

/** Longest wait of a read, the limit of a timer in milliseconds. */
const MAX_WAIT_MS = 2 ** 31 - 1;

export async function startProcess(
  { processes, snapshots, settings }: HandlerContext,
  params: ProcessStartParams,
): Promise<ProcessStartResponse> {
  refuseUnsupported(params);
  if (params.argv.length === 0) throw new RpcError(RpcErrorCode.invalidParams, "argv must not be empty");
  const problem = params.shellSnapshot ? ShellSnapshots.problemOf(params.shellSnapshot) : undefined;
  if (problem !== undefined) throw new RpcError(RpcErrorCode.invalidParams, problem);
  const cwd = cwdOf(params.cwd);
  let confined = false;
  try {
    await processes.start(params.processId, async (): Promise<ManagedSpec> => {
      const env = environmentFor(params.envPolicy, params.env, settings.environment);
      const { shellSnapshot, sandbox } = params;
      const argv = shellSnapshot ? await snapshots.apply(shellSnapshot, params.argv, cwd, env) : params.argv;
      const spec: ManagedSpec = {
        argv,
        cwd,
        env,
        tty: params.tty,
        arg0: params.arg0 ?? undefined,
        pipeStdin: params.pipeStdin === true,
        looksDenied: undefined,
        ended: undefined,
      };
      if (!sandbox) return spec;
      const inside = await confine(spec, sandbox, settings.environment);
      confined = inside !== spec;
      return inside;
    });
  } catch (error) {
    if (error instanceof StartRefusedError) throw new RpcError(RpcErrorCode.invalidRequest, error.message);
    if (error instanceof UnsupportedSandboxError)
      throw new RpcError(RpcErrorCode.invalidParams, `params.sandbox: ${error.message}`);
    if (error instanceof PathUriError)
      throw new RpcError(RpcErrorCode.invalidParams, `params.sandbox: ${error.message}`);
    throw error;
  }
  return { processId: params.processId, sandboxType: confined ? "linuxSeccomp" : "none" };
}

function refuseUnsupported(params: ProcessStartParams): void {
  for (const field of ["networkProxy", "managedNetwork"] as const) {
    if (params[field])
      throw new RpcError(RpcErrorCode.invalidParams, `params.${field} is not supported by this exec-server`);
  }
  if (params.enforceManagedNetwork) {
    throw new RpcError(RpcErrorCode.invalidParams, "params.enforceManagedNetwork is not supported by this exec-server");
  }
}

function cwdOf(uri: string): string {
  try {
    return pathFromUri(uri);
  } catch (error) {
    if (!(error instanceof PathUriError)) throw error;
    const words = error.foreign
      ? `cwd URI \`${uri}\` is not valid on this exec-server host: ${error.message}`
      : error.message;
    throw new RpcError(RpcErrorCode.invalidParams, words);
  }
}

/** Waits for output, an ending or the time, whichever is first. */
export async function readProcess(
  registry: ProcessRegistry,
  params: ProcessReadParams,
  park: () => void,
  signal: AbortSignal,
): Promise<ProcessReadResponse> {
  const entry = registry.get(params.processId);
  if (!entry) throw new RpcError(RpcErrorCode.invalidRequest, `unknown process id ${params.processId}`);
  if (entry.state === "starting")
    throw new RpcError(RpcErrorCode.invalidRequest, `process id ${params.processId} is starting`);
  const { managed } = entry;
  const afterSeq = params.afterSeq ?? 0;
  const waitMs = Math.min(params.waitMs ?? 0, MAX_WAIT_MS);
  if (waitMs > 0 && !readable(managed, afterSeq)) {
    park();
    await nextNews(managed, afterSeq, waitMs, signal);
  }
  return snapshot(managed, afterSeq, params.maxBytes ?? undefined);
}

function readable({ log }: ManagedProcess, afterSeq: number): boolean {
  if (log.closed || (log.exited && afterSeq < log.nextSeq - 1)) return true;
  return !log.after(afterSeq).next().done;
}

function nextNews(managed: ManagedProcess, afterSeq: number, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, waitMs);
    const unsubscribe = managed.onEvent(() => readable(managed, afterSeq) && finish());
    signal.addEventListener("abort", finish, { once: true });
  });
}

function snapshot({ log }: ManagedProcess, afterSeq: number, maxBytes: number | undefined): ProcessReadResponse {
  const chunks: ProcessReadResponse["chunks"] = [];
  let total = 0;
  for (const { seq, stream, bytes } of log.after(afterSeq)) {
    if (maxBytes !== undefined && chunks.length > 0 && total + bytes.byteLength > maxBytes) break;
    total += bytes.byteLength;
    chunks.push({
      seq,
      stream,
      chunk: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    });
  }
  const last = chunks.at(-1);
  return {
    chunks,
    nextSeq: maxBytes !== undefined && last ? last.seq + 1 : log.nextSeq,
    exited: log.exited !== undefined,
    exitCode: log.exited?.exitCode ?? null,
    closed: log.closed !== undefined,
    failure: null,
    sandboxDenied: log.exited?.sandboxDenied ?? false,
  };
}

export async function writeProcess(
  registry: ProcessRegistry,
  params: ProcessWriteParams,
): Promise<ProcessWriteResponse> {
  let bytes: Buffer;
  try {
    bytes = decodeBase64(params.chunk);
  } catch (error) {
    throw new RpcError(RpcErrorCode.invalidParams, (error as Error).message);
  }
  if (params.writeId === "") throw new RpcError(RpcErrorCode.invalidParams, "writeId must not be empty");
  const entry = registry.get(params.processId);
  if (!entry) return { status: "unknownProcess" };
  if (entry.state === "starting") return { status: "starting" };
  const { stdin } = entry.managed;
  if (!stdin) return { status: "stdinClosed" };
  if (entry.writeIds.has(params.writeId)) return { status: "accepted" };
  if (!(await stdin.reserve())) throw new RpcError(RpcErrorCode.internalError, "failed to write to process stdin");
  // While this one waited for its place, a repeat of it may have been sent.
  if (entry.writeIds.has(params.writeId)) {
    stdin.release();
    return { status: "accepted" };
  }
  stdin.send(bytes);
  entry.writeIds.remember(params.writeId);
  return { status: "accepted" };
}

export function signalProcess(registry: ProcessRegistry, params: ProcessSignalParams): Record<string, never> {
  const entry = registry.get(params.processId);
  if (entry?.state === "started") entry.managed.interrupt();
  return {};
}

export function terminateProcess(registry: ProcessRegistry, params: ProcessTerminateParams): ProcessTerminateResponse {
  return { running: registry.terminate(params.processId) };
}

export function resizeProcess(registry: ProcessRegistry, params: ProcessResizeParams): ProcessResizeResponse {
  const entry = registry.get(params.processId);
  return { resized: entry?.state === "started" && entry.managed.resize(params.rows, params.cols) };
}

/** A terminal gets an end-of-file character instead. */
export function closeProcessStdin(registry: ProcessRegistry, params: ProcessCloseStdinParams): ProcessWriteResponse {
  const entry = registry.get(params.processId);
  if (!entry) return { status: "unknownProcess" };
  if (entry.state === "starting") return { status: "starting" };
  if (!entry.managed.stdin) return { status: "stdinClosed" };
  entry.managed.closeStdin();
  return { status: "accepted" };
}
