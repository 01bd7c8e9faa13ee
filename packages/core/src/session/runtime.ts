/**
 * What the parts of a running session share. Owns the one way in which events are reported and items recorded.
 */
import type { EventMsg, ResponseItem, ThreadSettings } from "@turnkit/protocol";
import type { Clock, Logger, PermissionAnswer, ToolObserver, UnifiedExec } from "@turnkit/tools";
import type { ContextWindows } from "../compaction/windows.js";
import type { AdditionalContextStore } from "../context/additional-context.js";
import { developerMessage } from "../context/fragments.js";
import type { Skill } from "../context/skills/skill.js";
import type { WorldState } from "../context/world-state.js";
import type { History } from "../history/history.js";
import { markItem } from "../history/metadata.js";
import type { LazyMcp } from "../mcp/lazy-mcp.js";
import type { ModelCatalogue } from "../model/model-catalogue.js";
import type { ModelClient } from "../model/model-client.js";
import type { RolloutRecorder } from "../rollout/recorder.js";
import { isPersistedEvent, type RolloutItem } from "../rollout/rollout-item.js";
import type { ActiveTurn } from "../turn/active-turn.js";
import type { SessionPatchReporter } from "../turn/patch-reporter.js";
import type { UserShell } from "../turn/user-shell.js";
import type { Elicitations } from "./elicitations.js";
import type { EventStream } from "./event-stream.js";
import type { Mailbox } from "./input-queue.js";
import type { PendingAnswers } from "./pending-answers.js";
import type { PendingApprovals } from "./pending-approvals.js";
import type { PendingElicitations } from "./pending-elicitations.js";
import type { CompactionSettings, SessionFeatures, SessionHooks, SessionStartSource } from "./session-options.js";
import type { ToolSet } from "./tool-set.js";

export interface RuntimeParts {
  readonly threadId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: EventStream;
  readonly history: History;
  readonly recorder: RolloutRecorder | null;
  readonly modelClient: ModelClient;
  readonly features: SessionFeatures;
  readonly hooks: SessionHooks | undefined;
  /** Tells the person's own program that a turn has ended well. */
  readonly notify: ((turn: ActiveTurn) => void) | undefined;
  readonly observer: ToolObserver | undefined;
  readonly additionalContext: AdditionalContextStore;
  readonly worldState: WorldState;
  readonly mailbox: Mailbox;
  readonly answers: PendingAnswers;
  readonly approvals: PendingApprovals;
  readonly permissionRequests: PendingApprovals<PermissionAnswer>;
  readonly elicitations: Elicitations;
  readonly mcp: LazyMcp | undefined;
  readonly mcpQuestions: PendingElicitations;
  readonly models: ModelCatalogue;
  readonly exec: UnifiedExec | undefined;
  /** Absent: the session runs no commands. */
  readonly userShell: UserShell | undefined;
  /** Ends with the session. */
  readonly networkProxy: AsyncDisposable | undefined;
  readonly tools: ToolSet;
  readonly patchReporter: SessionPatchReporter;
  readonly baseInstructions: string;
  readonly developerInstructions: string | undefined;
  /** As configured; undefined: the model's own. */
  readonly contextWindow: number | undefined;
  readonly compaction: CompactionSettings;
  readonly windows: ContextWindows;
  readonly isRootThread: boolean;
  readonly shellName: string;
  /** The skills there are for a folder. */
  readonly skills: (cwd: string) => Promise<readonly Skill[]>;
  /** The instructions that come with a folder. */
  readonly projectInstructions: (
    cwd: string,
  ) => Promise<{ readonly directory: string; readonly text: string } | undefined>;
}

export class Runtime {
  settings: ThreadSettings;
  /** How the session began, until its hooks have been told. */
  pendingStart: SessionStartSource | undefined;

  constructor(
    readonly parts: RuntimeParts,
    settings: ThreadSettings,
  ) {
    this.settings = settings;
  }

  /** Keeps the event where it is to be kept, then tells everybody. */
  emit(turnId: string, msg: EventMsg): void {
    this.record(msg);
    this.parts.events.publish({ id: turnId, msg });
  }

  /** Only keeps it. */
  record(msg: EventMsg): void {
    if (!isPersistedEvent(msg)) return;
    if (msg.type !== "thread_settings_applied") this.line({ type: "event_msg", payload: msg });
    // Settings that were chosen before anything was said are those of the first turn, which keeps them anyway.
    else if (this.parts.recorder?.isMaterialized) this.line({ type: "event_msg", payload: keptSettings(msg) });
  }

  line(item: RolloutItem): void {
    this.parts.recorder?.append(item);
  }

  /** Adds an item to the history and to the session file. */
  recordItem(turnId: string, item: ResponseItem, kinds?: readonly string[]): void {
    this.recordMarked(markItem(item, { turnId, epochMs: this.parts.clock.epochMs(), kinds }));
  }

  /** The same for an item that has its marks. */
  recordMarked(marked: ResponseItem): void {
    this.parts.history.record([marked]);
    this.keepItem(marked);
  }

  /** Only keeps it: the model is not shown it. */
  keepItem(marked: ResponseItem): void {
    if (marked.type === "other" || marked.type === "compaction_trigger") return;
    this.line({ type: "response_item", payload: marked });
  }

  /** Prefixes that were allowed for good and that the model has not been told of. */
  readonly untoldPrefixes: (readonly string[])[] = [];

  /** Tells the model which commands it may run from now on without anybody being asked. */
  recordAllowedPrefixes(turnId: string): void {
    const prefixes = this.untoldPrefixes.splice(0);
    if (prefixes.length === 0) return;
    const list = prefixes.map((prefix) => `- ${JSON.stringify(prefix)}`).join("\n");
    this.recordItem(turnId, developerMessage([`The user allows commands that begin with these words:\n${list}`]), [
      "permissions.instructions",
    ]);
    this.line({ type: "world_state", payload: { full: false, state: { allowed_prefixes: prefixes } } });
  }

  /** What hooks want the model to read: a message for each. */
  recordHookContexts(turnId: string, texts: readonly string[]): void {
    for (const text of texts) this.recordItem(turnId, developerMessage([text]), ["hooks.additional_context"]);
  }

  /** Everything is on disk, or a warning has been given; the lines are kept and tried again. */
  async flush(turnId: string): Promise<void> {
    try {
      await this.parts.recorder?.flush();
    } catch (error) {
      this.emit(turnId, {
        type: "warning",
        message: `Failed to save the conversation transcript; Turnkit will continue retrying. Error: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
}

/** The profile says what the sandbox policy says; session files keep the one. */
function keptSettings(msg: Extract<EventMsg, { type: "thread_settings_applied" }>): EventMsg {
  const { sandbox_policy: _, ...settings } = msg.thread_settings;
  return { ...msg, thread_settings: settings as ThreadSettings };
}
