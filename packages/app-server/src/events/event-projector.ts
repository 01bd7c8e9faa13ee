/**
 * Translates the events of one session into what its clients are told, in their exact order.
 * Deterministic: no input or output, the clock is handed in. Remembers only what later events need: the running turn
 * and which commands were already shown.
 */
import type { EventMsg, HookRunSummary, ReviewDecision, ThreadSettings, TurnItem } from "@turnkit/protocol";
import {
  type AppHookRunSummary,
  affectsTurn,
  type CommandExecutionApprovalDecision,
  type ThreadItem,
  type Turn,
  type TurnError,
  toThreadItem,
  toTurnError,
} from "@turnkit/protocol/app";
import { camelCase } from "./casing.js";
import { type CommandItem, toCommandTurnItem, toPatchTurnItem, toPendingCommandItem } from "./command-item.js";
import { type Effect, notify } from "./effect.js";
import { askForElicitation, startupStatus } from "./mcp.js";
import { clientPermissions } from "./permissions.js";
import { toRateLimits, toThreadSettings, toTokenUsage } from "./settings.js";

export interface ProjectedEvent {
  readonly id: string;
  readonly msg: EventMsg;
}

interface RunningTurn {
  readonly id: string;
  readonly startedAt: number | null;
  lastAgentMessage: ThreadItem | null;
  error: TurnError | null;
}

type Message<Type extends EventMsg["type"]> = Extract<EventMsg, { type: Type }>;

export class EventProjector {
  readonly #threadId: string;
  readonly #now: () => number;
  #turn: RunningTurn | null = null;
  /** What clients were told last: settings that were applied again without a change are no news. */
  #settings: string | null;
  /** Commands and patches shown but not ended, with the turn that started them: a process may outlive its turn. */
  readonly #running = new Map<string, string>();
  readonly #ended = new Set<string>();

  constructor(threadId: string, settings: ThreadSettings | null, nowMs: () => number) {
    this.#threadId = threadId;
    this.#now = nowMs;
    this.#settings = settings && JSON.stringify(toThreadSettings(settings));
  }

  get activeTurnId(): string | null {
    return this.#turn?.id ?? null;
  }

  /** The running turn as thread/read and thread/resume show it. */
  get activeTurnStartedAt(): number | null {
    return this.#turn?.startedAt ?? null;
  }

  project({ id, msg }: ProjectedEvent): Effect[] {
    switch (msg.type) {
      case "task_started":
        return this.#turnStarted(msg);
      case "task_complete":
        return this.#turnCompleted(msg);
      case "turn_aborted":
        return this.#turnEnded(msg.turn_id ?? id, "interrupted", msg);
      case "item_started":
        return this.#itemStarted(msg.turn_id, msg.item, msg.started_at_ms);
      case "item_completed":
        return this.#itemCompleted(msg.turn_id, msg.item, msg.completed_at_ms);
      case "agent_message_content_delta":
        return [this.#itemDelta("item/agentMessage/delta", msg, { delta: msg.delta })];
      case "plan_delta":
        return [this.#itemDelta("item/plan/delta", msg, { delta: msg.delta })];
      case "reasoning_content_delta":
        return [
          this.#itemDelta("item/reasoning/summaryTextDelta", msg, {
            delta: msg.delta,
            summaryIndex: msg.summary_index ?? 0,
          }),
        ];
      case "reasoning_raw_content_delta":
        return [
          this.#itemDelta("item/reasoning/textDelta", msg, { delta: msg.delta, contentIndex: msg.content_index ?? 0 }),
        ];
      case "agent_reasoning_section_break":
        return [
          this.#thread("item/reasoning/summaryPartAdded", {
            turnId: id,
            itemId: msg.item_id ?? "",
            summaryIndex: msg.summary_index ?? 0,
          }),
        ];
      // Commands and patches come as whole items or as their older mirrors; each is told once.
      case "exec_command_begin":
        return this.#itemStarted(msg.turn_id, toCommandTurnItem(msg), msg.started_at_ms);
      case "exec_command_end":
        return this.#itemCompleted(msg.turn_id, toCommandTurnItem(msg), msg.completed_at_ms);
      case "patch_apply_begin":
        return this.#itemStarted(msg.turn_id, toPatchTurnItem(msg), undefined);
      case "patch_apply_end":
        return this.#itemCompleted(msg.turn_id ?? id, toPatchTurnItem(msg), undefined);
      case "exec_command_output_delta":
        return [
          this.#thread("item/commandExecution/outputDelta", {
            turnId: this.#running.get(msg.call_id) ?? id,
            itemId: msg.call_id,
            delta: Buffer.from(msg.chunk, "base64").toString("utf8"),
          }),
        ];
      case "terminal_interaction":
        return [
          this.#thread("item/commandExecution/terminalInteraction", {
            turnId: id,
            itemId: msg.call_id,
            processId: msg.process_id,
            stdin: msg.stdin,
          }),
        ];
      case "request_user_input":
        return this.#askUser(msg, id);
      case "exec_approval_request":
        return this.#askForCommand(msg, id);
      case "apply_patch_approval_request":
        return this.#askForPatch(msg, id);
      case "request_permissions":
        return this.#askForPermissions(msg, id);
      case "elicitation_request":
        return askForElicitation(this.#threadId, msg);
      case "mcp_startup_update":
        return [notify("mcpServer/startupStatus/updated", startupStatus(this.#threadId, msg))];
      case "mcp_tool_call_progress":
        return [
          this.#thread("item/mcpToolCall/progress", { turnId: msg.turn_id, itemId: msg.call_id, message: msg.message }),
        ];
      case "token_count":
        return this.#tokenCount(msg, id);
      case "turn_diff":
        return [this.#thread("turn/diff/updated", { turnId: id, diff: msg.unified_diff })];
      case "plan_update":
        return [
          this.#thread("turn/plan/updated", {
            turnId: id,
            explanation: msg.explanation ?? null,
            plan: msg.plan.map(({ step, status }) => ({ step, status: camelCase(status) })),
          }),
        ];
      case "thread_settings_applied":
        return this.#settingsApplied(msg.thread_settings);
      case "error":
        return this.#failed(msg, id);
      case "stream_error":
        return [
          this.#thread("error", {
            error: {
              ...toTurnError(msg),
              additionalDetails: msg.additional_details ?? null,
            },
            willRetry: true,
            turnId: id,
          }),
        ];
      case "warning":
        return [this.#thread("warning", { message: msg.message })];
      case "deprecation_notice":
        return [notify("deprecationNotice", { summary: msg.summary, details: msg.details ?? null })];
      case "hook_started":
      case "hook_completed":
        return [
          this.#thread(msg.type === "hook_started" ? "hook/started" : "hook/completed", {
            turnId: msg.turn_id ?? null,
            run: toHookRun(msg.run),
          }),
        ];
      case "shutdown_complete":
        return [{ kind: "status", change: "unloaded" }, { kind: "closed" }];
      default:
        return [];
    }
  }

  /** The end of a command that a person refused or could not answer for; nothing when core ended it already. */
  commandRefused(turnId: string, item: CommandItem, status: "declined" | "failed"): Effect[] {
    if (this.#ended.has(item.id)) return [];
    this.#ended.add(item.id);
    this.#running.delete(item.id);
    return [this.#thread("item/completed", { item: { ...item, status }, turnId, completedAtMs: this.#now() })];
  }

  #thread(method: string, params: Record<string, unknown>) {
    return notify(method, { threadId: this.#threadId, ...params });
  }

  #itemDelta(method: string, msg: { turn_id: string; item_id: string }, rest: Record<string, unknown>) {
    return this.#thread(method, { turnId: msg.turn_id, itemId: msg.item_id, ...rest });
  }

  #settingsApplied(settings: ThreadSettings): Effect[] {
    const threadSettings = toThreadSettings(settings);
    const text = JSON.stringify(threadSettings);
    if (text === this.#settings) return [];
    this.#settings = text;
    return [this.#thread("thread/settings/updated", { threadSettings })];
  }

  #turnStarted(msg: Message<"task_started">): Effect[] {
    const startedAt = msg.started_at ?? Math.floor(this.#now() / 1000);
    this.#turn = { id: msg.turn_id, startedAt, lastAgentMessage: null, error: null };
    this.#ended.clear();
    return [
      { kind: "turnTransition" },
      { kind: "status", change: "turnStarted" },
      this.#thread("turn/started", { turn: { ...emptyTurn(msg.turn_id), startedAt } }),
    ];
  }

  #turnCompleted(msg: Message<"task_complete">): Effect[] {
    if (msg.error && this.#turn && !this.#turn.error) {
      this.#turn.error = toTurnError(msg.error);
    }
    return this.#turnEnded(msg.turn_id, this.#turn?.error ? "failed" : "completed", msg);
  }

  #turnEnded(
    turnId: string,
    status: "completed" | "failed" | "interrupted",
    times: {
      readonly started_at?: number | null | undefined;
      readonly completed_at?: number | null | undefined;
      readonly duration_ms?: number | null | undefined;
    },
  ): Effect[] {
    const turn = this.#turn?.id === turnId ? this.#turn : null;
    this.#turn = null;
    const last = status === "completed" ? (turn?.lastAgentMessage ?? null) : null;
    const ended: Turn = {
      ...emptyTurn(turnId),
      items: last ? [last] : [],
      itemsView: last ? "summary" : "notLoaded",
      status,
      error: status === "failed" ? (turn?.error ?? null) : null,
      startedAt: turn?.startedAt ?? times.started_at ?? null,
      completedAt: times.completed_at ?? Math.floor(this.#now() / 1000),
      durationMs: times.duration_ms ?? null,
    };
    return [
      { kind: "turnTransition" },
      { kind: "answerInterrupts" },
      { kind: "status", change: "turnEnded" },
      this.#thread("turn/completed", { turn: ended }),
    ];
  }

  #itemStarted(turnId: string, item: TurnItem, atMs: number | null | undefined): Effect[] {
    const shown = toThreadItem(item);
    if (!shown) return [];
    if (shown.type === "commandExecution" || shown.type === "fileChange") {
      // Shown already while it waited for approval.
      if (this.#running.has(shown.id)) return [];
      this.#running.set(shown.id, turnId);
    }
    return [this.#thread("item/started", { item: shown, turnId, startedAtMs: atMs ?? this.#now() })];
  }

  #itemCompleted(turnId: string, item: TurnItem, atMs: number | null | undefined): Effect[] {
    const shown = toThreadItem(item);
    if (!shown) return [];
    if (shown.type === "commandExecution" || shown.type === "fileChange") {
      if (this.#ended.has(shown.id)) return [];
      this.#ended.add(shown.id);
      this.#running.delete(shown.id);
    }
    if (shown.type === "agentMessage" && this.#turn?.id === turnId) this.#turn.lastAgentMessage = shown;
    return [this.#thread("item/completed", { item: shown, turnId, completedAtMs: atMs ?? this.#now() })];
  }

  #askUser(msg: Message<"request_user_input">, id: string): Effect[] {
    const turnId = msg.turn_id || id;
    return [
      { kind: "status", change: "userInputRaised" },
      {
        kind: "ask",
        method: "item/tool/requestUserInput",
        params: {
          threadId: this.#threadId,
          turnId,
          itemId: msg.call_id,
          questions: msg.questions.map((question) => ({
            id: question.id,
            header: question.header,
            question: question.question,
            isOther: question.isOther ?? false,
            isSecret: question.isSecret ?? false,
            options: question.options?.map(({ label, description }) => ({ label, description })) ?? null,
          })),
          isBlocking: msg.isBlocking ?? true,
          autoResolutionMs: msg.autoResolutionMs ?? null,
        },
        answer: { to: "userInput", turnId },
      },
    ];
  }

  #askForCommand(msg: Message<"exec_approval_request">, id: string): Effect[] {
    const turnId = msg.turn_id || id;
    const startedAtMs = msg.started_at_ms ?? this.#now();
    const item = toPendingCommandItem(msg);
    // A command that asks for the network runs already, or is announced when it does.
    const runs = msg.network_approval_context != null;
    const shown = runs || this.#running.has(item.id);
    if (!runs) this.#running.set(item.id, turnId);
    const params: Record<string, unknown> = {
      kind: "command",
      threadId: this.#threadId,
      turnId,
      itemId: item.id,
      startedAtMs,
      environmentId: msg.environment_id ?? "local",
      command: item.command,
      cwd: item.cwd,
      commandActions: item.commandActions,
    };
    if (msg.approval_id != null) params.approvalId = msg.approval_id;
    if (msg.reason != null) params.reason = msg.reason;
    if (msg.network_approval_context != null) params.networkApprovalContext = msg.network_approval_context;
    if (msg.proposed_network_policy_amendments != null) {
      params.proposedNetworkPolicyAmendments = msg.proposed_network_policy_amendments;
    }
    if (msg.additional_permissions != null)
      params.additionalPermissions = clientPermissions(msg.additional_permissions);
    if (msg.proposed_execpolicy_amendment != null)
      params.proposedExecpolicyAmendment = msg.proposed_execpolicy_amendment;
    if (msg.available_decisions != null) params.availableDecisions = msg.available_decisions.map(toClientDecision);
    return [
      { kind: "status", change: "approvalRaised" },
      ...(shown ? [] : [this.#thread("item/started", { item, turnId, startedAtMs })]),
      {
        kind: "ask",
        method: "item/commandExecution/requestApproval",
        params,
        answer: { to: "command", approvalId: msg.approval_id ?? msg.call_id, turnId, item: runs ? null : item },
      },
    ];
  }

  #askForPatch(msg: Message<"apply_patch_approval_request">, id: string): Effect[] {
    return [
      { kind: "status", change: "approvalRaised" },
      {
        kind: "ask",
        method: "item/fileChange/requestApproval",
        params: {
          threadId: this.#threadId,
          turnId: msg.turn_id || id,
          itemId: msg.call_id,
          startedAtMs: msg.started_at_ms ?? this.#now(),
          reason: msg.reason ?? null,
          grantRoot: msg.grant_root ?? null,
        },
        answer: { to: "patch", approvalId: msg.call_id },
      },
    ];
  }

  #askForPermissions(msg: Message<"request_permissions">, id: string): Effect[] {
    return [
      { kind: "status", change: "approvalRaised" },
      {
        kind: "ask",
        method: "item/permissions/requestApproval",
        params: {
          threadId: this.#threadId,
          turnId: msg.turn_id || id,
          itemId: msg.call_id,
          environmentId: msg.environment_id ?? "local",
          startedAtMs: msg.started_at_ms ?? this.#now(),
          cwd: msg.cwd,
          reason: msg.reason ?? null,
          permissions: clientPermissions(msg.permissions),
        },
        answer: { to: "permissions", callId: msg.call_id },
      },
    ];
  }

  #tokenCount(msg: Message<"token_count">, id: string): Effect[] {
    const effects: Effect[] = [];
    if (msg.info)
      effects.push(this.#thread("thread/tokenUsage/updated", { turnId: id, tokenUsage: toTokenUsage(msg.info) }));
    if (msg.rate_limits) {
      effects.push(notify("account/rateLimits/updated", { rateLimits: toRateLimits(msg.rate_limits) }));
    }
    return effects;
  }

  #failed(msg: Message<"error">, id: string): Effect[] {
    const error = toTurnError(msg);
    const told = this.#thread("error", { error, willRetry: false, turnId: id });
    if (!affectsTurn(msg.codex_error_info)) return [told];
    if (this.#turn) this.#turn.error = error;
    return [{ kind: "status", change: "systemError" }, told];
  }
}

export function emptyTurn(id: string): Turn {
  return {
    id,
    items: [],
    itemsView: "notLoaded",
    status: "inProgress",
    error: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
  };
}

function toHookRun(run: HookRunSummary): AppHookRunSummary {
  return {
    id: run.id,
    eventName: camelCase(run.event_name) as AppHookRunSummary["eventName"],
    handlerType: camelCase(run.handler_type) as AppHookRunSummary["handlerType"],
    executionMode: run.execution_mode as AppHookRunSummary["executionMode"],
    scope: run.scope as AppHookRunSummary["scope"],
    sourcePath: run.source_path,
    source: camelCase(run.source) as NonNullable<AppHookRunSummary["source"]>,
    displayOrder: run.display_order,
    status: run.status,
    statusMessage: run.status_message ?? null,
    startedAt: run.started_at,
    completedAt: run.completed_at ?? null,
    durationMs: run.duration_ms ?? null,
    entries: run.entries.map(({ kind, text }) => ({ kind, text })),
  };
}

/** The members inside an amendment keep their snake_case, as on the wire. */
function toClientDecision(decision: ReviewDecision): CommandExecutionApprovalDecision {
  if (decision === "approved") return "accept";
  if (decision === "approved_for_session") return "acceptForSession";
  if (typeof decision === "string") return "cancel";
  if ("approved_execpolicy_amendment" in decision) {
    const { proposed_execpolicy_amendment } = decision.approved_execpolicy_amendment;
    return { acceptWithExecpolicyAmendment: { execpolicy_amendment: proposed_execpolicy_amendment } };
  }
  if ("network_policy_amendment" in decision) {
    return { applyNetworkPolicyAmendment: decision.network_policy_amendment };
  }
  return "decline";
}
