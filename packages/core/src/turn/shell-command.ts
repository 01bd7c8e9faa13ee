/**
 * A command that the person runs themselves: outside of the sandbox, without asking, and told to the model afterwards.
 * Owns its process, its item and the text the model reads. Not a tool: the model has no part in it.
 */
import type { EventMsg, ResponseItem } from "@turnkit/protocol";
import type { HostProcess } from "@turnkit/protocol/exec";
import { DeltaStream, OutputWindow, parseCommand, toBase64, truncateMiddle } from "@turnkit/tools";
import { userMessage } from "../context/fragments.js";
import { freshId } from "../ids.js";
import type { Runtime } from "../session/runtime.js";
import type { UserShell } from "./user-shell.js";

export const SHELL_KIND = "shell.user_command";
const ABORTED = "command aborted by user";
const BYTES_PER_TOKEN = 4;

interface Outcome {
  readonly exitCode: number;
  readonly output: string;
  readonly elapsedMs: number;
}

/** Runs to its end; reports begin, output and end. An abort ends the command. Never throws. */
export async function runShellCommand(
  runtime: Runtime,
  { command, turnId, signal }: { readonly command: string; readonly turnId: string; readonly signal: AbortSignal },
): Promise<ResponseItem> {
  const { userShell, clock } = runtime.parts;
  const cwd = runtime.settings.cwd;
  const argv = userShell ? [userShell.shell.path, userShell.isLogin ? "-lc" : "-c", command] : [command];
  const shared = {
    call_id: freshId(),
    turn_id: turnId,
    started_at_ms: clock.epochMs(),
    command: argv,
    cwd,
    parsed_cmd: [...parseCommand(command)],
    source: "user_shell" as const,
  };
  runtime.emit(turnId, { type: "exec_command_begin", ...shared });
  const outcome = userShell
    ? await run(userShell, { argv, cwd, signal, now: () => clock.now(), emit: deltaEmitter(runtime, turnId, shared) })
    : { exitCode: -1, output: "this session runs no commands", elapsedMs: 0 };
  runtime.emit(turnId, {
    type: "exec_command_end",
    ...shared,
    completed_at_ms: clock.epochMs(),
    stdout: outcome.output,
    stderr: "",
    aggregated_output: outcome.output,
    exit_code: outcome.exitCode,
    duration: { secs: Math.floor(outcome.elapsedMs / 1000), nanos: Math.round((outcome.elapsedMs % 1000) * 1e6) },
    formatted_output: outcome.output,
    status: outcome.exitCode === 0 ? "completed" : "failed",
  });
  const limit = runtime.parts.models.info(runtime.settings.model).outputTokenLimit * BYTES_PER_TOKEN;
  return shellMessage(command, { ...outcome, output: truncateMiddle(outcome.output, limit) });
}

function shellMessage(command: string, { exitCode, output, elapsedMs }: Outcome): ResponseItem {
  const seconds = (elapsedMs / 1000).toFixed(4);
  return userMessage(
    `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\nExit code: ${exitCode}\nDuration: ${seconds} seconds\nOutput:\n${output}\n</result>\n</user_shell_command>`,
  );
}

type Emit = (stream: "stdout" | "stderr", bytes: Uint8Array) => void;

function deltaEmitter(runtime: Runtime, turnId: string, { call_id }: { readonly call_id: string }): Emit {
  return (stream, bytes) => {
    const event: EventMsg = { type: "exec_command_output_delta", call_id, stream, chunk: toBase64(bytes) };
    runtime.emit(turnId, event);
  };
}

interface Run {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly emit: Emit;
}

async function run({ host, environment }: UserShell, { argv, cwd, signal, now, emit }: Run): Promise<Outcome> {
  const began = now();
  const aborted: Outcome = { exitCode: -1, output: ABORTED, elapsedMs: 0 };
  if (signal.aborted) return aborted;
  let process: HostProcess;
  try {
    process = await host.start({ processId: `user-shell-${freshId()}`, argv, cwd, env: environment(), tty: false });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { exitCode: -1, output: `the command could not be started: ${reason}`, elapsedMs: now() - began };
  }
  const window = new OutputWindow();
  const streams = {
    stdout: new DeltaStream((bytes) => emit("stdout", bytes)),
    stderr: new DeltaStream((bytes) => emit("stderr", bytes)),
  };
  let exitCode = -1;
  const failure = await new Promise<string | undefined>((resolve) => {
    const end = (message: string | undefined) => {
      signal.removeEventListener("abort", stop);
      // What has happened already is told while subscribing, before there is an unsubscriber.
      queueMicrotask(() => unsubscribe());
      resolve(message);
    };
    const stop = () => {
      void process.terminate().catch(() => {});
      end(undefined);
    };
    if (!signal.aborted) signal.addEventListener("abort", stop, { once: true });
    const unsubscribe = process.subscribe((event) => {
      if (signal.aborted) return;
      if (event.type === "output") {
        window.push(event.bytes);
        streams[event.stream === "stderr" ? "stderr" : "stdout"].push(event.bytes);
      } else if (event.type === "exited") ({ exitCode } = event);
      else end(event.type === "failed" ? event.message : undefined);
    });
    if (signal.aborted) stop();
  });
  if (signal.aborted) return aborted;
  for (const stream of Object.values(streams)) stream.end();
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(window.content().bytes);
  if (failure === undefined) return { exitCode, output: text, elapsedMs: now() - began };
  return { exitCode: -1, output: text === "" ? failure : `${text}\n${failure}`, elapsedMs: now() - began };
}
