/**
 * The events of one command: begin, output deltas, one end. Knows the order (every delta before the end, the end
 * after any interaction in flight) and nothing about what the model reads.
 */
import type { EventMsg, ParsedCommand } from "@turnkit/protocol";
import type { Clock } from "../ports.js";
import { DeltaStream, toBase64 } from "./delta-stream.js";
import { decodeLossy } from "./format-output.js";
import { TRAILING_STREAM_GRACE_MS } from "./limits.js";
import type { ManagedProcess } from "./managed-process.js";
import { parseCommand } from "./parse-command.js";

export interface ProcessEventsOptions {
  readonly process: ManagedProcess;
  readonly clock: Clock;
  /** Reports an event of the turn that started the process, whenever it happens. */
  readonly emit: (turnId: string, event: EventMsg) => void;
}

export class ProcessEvents {
  readonly #parsed: ParsedCommand[];

  constructor(private readonly options: ProcessEventsOptions) {
    this.#parsed = [...parseCommand(options.process.origin.command)];
  }

  get #shared() {
    const { origin } = this.options.process;
    return {
      call_id: origin.callId,
      process_id: String(origin.sessionId),
      turn_id: origin.turnId,
      started_at_ms: origin.startedAt.epochMs,
      command: [...origin.argv],
      cwd: origin.cwd,
      parsed_cmd: this.#parsed,
      source: "unified_exec_startup" as const,
    };
  }

  begin(): void {
    const { emit, process } = this.options;
    emit(process.origin.turnId, { type: "exec_command_begin", ...this.#shared });
  }

  /** Streams what there is and what comes, then reports the end. Resolves when the end has been reported. */
  async follow(beforeEnd: () => Promise<void>): Promise<void> {
    const { process, clock, emit } = this.options;
    const deltas = new DeltaStream((chunk) =>
      emit(process.origin.turnId, {
        type: "exec_command_output_delta",
        call_id: process.origin.callId,
        stream: "stdout",
        chunk: toBase64(chunk),
      }),
    );
    if (!process.transcript.isEmpty) deltas.push(process.transcript.content().bytes);
    const unsubscribe = process.onOutput((bytes) => deltas.push(bytes));
    await process.ended();
    await Promise.race([process.drained(), timer(clock, TRAILING_STREAM_GRACE_MS)]);
    unsubscribe();
    deltas.end();
    await beforeEnd();
    const release = await process.interaction.acquire();
    this.end();
    release();
  }

  end(): void {
    const { process, clock, emit } = this.options;
    const output = decodeLossy(process.transcript.content().bytes);
    const { failure } = process;
    const aggregated = failure === undefined ? output : output === "" ? failure : `${output}\n${failure}`;
    const exitCode = failure !== undefined || process.terminated ? -1 : (process.exitCode ?? -1);
    const elapsed = clock.now() - process.origin.startedAt.clockMs;
    emit(process.origin.turnId, {
      type: "exec_command_end",
      ...this.#shared,
      completed_at_ms: clock.epochMs(),
      stdout: output,
      stderr: failure ?? "",
      aggregated_output: aggregated,
      exit_code: exitCode,
      duration: { secs: Math.floor(elapsed / 1000), nanos: Math.round((elapsed % 1000) * 1e6) },
      formatted_output: aggregated,
      status: exitCode === 0 ? "completed" : "failed",
    });
    process.release();
  }
}

function timer(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
