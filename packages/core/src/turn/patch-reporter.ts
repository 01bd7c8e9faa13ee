/** Reports what patches do: the item of a change, its mirror for session files, and the turn's diff. */

import path from "node:path";
import type { EventMsg } from "@turnkit/protocol";
import {
  type Clock,
  type FileChangeItem,
  type PatchReporter,
  type PlannedFile,
  type ToolTurn,
  TurnDiff,
} from "@turnkit/tools";
import { gitBlobId } from "@turnkit/tools/node";

export class SessionPatchReporter implements PatchReporter {
  /** Of the turn that changed files last; a turn's diff is of no use to another. */
  #diff: { readonly turnId: string; readonly diff: TurnDiff } | undefined;

  constructor(
    private readonly session: {
      readonly threadId: string;
      readonly clock: Clock;
      readonly emit: (turnId: string, event: EventMsg) => void;
    },
  ) {}

  started(turn: ToolTurn, item: FileChangeItem): void {
    const { threadId, clock, emit } = this.session;
    emit(turn.id, {
      type: "item_started",
      thread_id: threadId,
      turn_id: turn.id,
      item,
      started_at_ms: clock.epochMs(),
    });
    emit(turn.id, {
      type: "patch_apply_begin",
      call_id: item.id,
      turn_id: turn.id,
      auto_approved: item.auto_approved ?? false,
      changes: item.changes,
    });
  }

  completed(turn: ToolTurn, item: FileChangeItem): void {
    const { threadId, clock, emit } = this.session;
    const at = clock.epochMs();
    emit(turn.id, {
      type: "item_completed",
      thread_id: threadId,
      turn_id: turn.id,
      item,
      started_at_ms: at,
      completed_at_ms: at,
    });
    emit(turn.id, {
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
    if (text !== "") this.session.emit(turnId, { type: "turn_diff", unified_diff: text });
  }
}
