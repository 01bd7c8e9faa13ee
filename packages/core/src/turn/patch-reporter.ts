/** Reports what patches do: the item of a change, its mirror for session files, and the turn's diff. */

import path from "node:path";
import { type FileChangeItem, type PatchReporter, type PlannedFile, type ToolTurn, TurnDiff } from "@turnkit/tools";
import { gitBlobId } from "@turnkit/tools/node";
import type { Runtime } from "../session/runtime.js";

export class SessionPatchReporter implements PatchReporter {
  /** Of the turn that changed files last; a turn's diff is of no use to another. */
  #diff: { readonly turnId: string; readonly diff: TurnDiff } | undefined;

  constructor(private readonly runtime: () => Runtime) {}

  started(turn: ToolTurn, item: FileChangeItem): void {
    const runtime = this.runtime();
    runtime.emit(turn.id, {
      type: "item_started",
      thread_id: runtime.parts.threadId,
      turn_id: turn.id,
      item,
      started_at_ms: runtime.parts.clock.epochMs(),
    });
    runtime.emit(turn.id, {
      type: "patch_apply_begin",
      call_id: item.id,
      turn_id: turn.id,
      auto_approved: item.auto_approved ?? false,
      changes: item.changes,
    });
  }

  completed(turn: ToolTurn, item: FileChangeItem): void {
    const runtime = this.runtime();
    const at = runtime.parts.clock.epochMs();
    runtime.emit(turn.id, {
      type: "item_completed",
      thread_id: runtime.parts.threadId,
      turn_id: turn.id,
      item,
      started_at_ms: at,
      completed_at_ms: at,
    });
    runtime.emit(turn.id, {
      type: "patch_apply_end",
      call_id: item.id,
      turn_id: turn.id,
      stdout: item.stdout ?? "",
      stderr: item.stderr ?? "",
      success: item.status === "completed",
      changes: item.changes,
      ...(item.status === null ? {} : { status: item.status }),
    });
  }

  changed(turn: ToolTurn, files: readonly PlannedFile[]): void {
    if (this.#diff?.turnId !== turn.id)
      this.#diff = {
        turnId: turn.id,
        diff: new TurnDiff((file) => path.relative(turn.cwd, file).split(path.sep).join("/"), gitBlobId),
      };
    this.#diff.diff.record(files);
    this.report(turn.id);
  }

  /** Tells the turn's diff again; nothing when the turn has changed no file. */
  report(turnId: string): void {
    if (this.#diff?.turnId !== turnId) return;
    const text = this.#diff.diff.text();
    if (text !== "") this.runtime().emit(turnId, { type: "turn_diff", unified_diff: text });
  }
}
