/**
 * A thread that runs in this process: its session, who follows it, its status and its open questions.
 * Turns the session's events into notifications through the projector; decides nothing about turns itself.
 */
import type { Session, SessionEvent } from "@turnkit/core";
import type { RequestUserInputResponse } from "@turnkit/protocol";
import type {
  CommandExecutionRequestApprovalResponse,
  FileChangeRequestApprovalResponse,
  ThreadStatus,
  Turn,
} from "@turnkit/protocol/app";
import type { Connection } from "../connection/connection.js";
import { clientDecision } from "../events/decisions.js";
import type { AskEffect, Effect } from "../events/effect.js";
import { EventProjector, emptyTurn } from "../events/event-projector.js";
import { elicitationAnswer } from "../events/mcp.js";
import { permissionAnswer } from "../events/permissions.js";
import type { OpenedThread, ThreadRecord } from "../ports.js";
import type { Outcome, ServerRequests } from "../server-requests.js";
import { EventQueue } from "./event-queue.js";
import { changeStatus, notLoaded, type StatusChange, sameStatus, statusOf } from "./thread-status.js";

export interface ThreadEnvironment {
  readonly requests: ServerRequests;
  /** To the followers of this thread. */
  readonly notify: (connections: Iterable<Connection>, method: string, params: unknown) => void;
  /** To every client that said hello. */
  readonly broadcast: (method: string, params: unknown) => void;
  readonly closed: (thread: LoadedThread) => void;
  readonly nowMs: () => number;
}

export class LoadedThread {
  readonly session: Session;
  readonly queue = new EventQueue();
  /** Until clients have been told of a new thread; what is asked of it meanwhile is answered afterwards. */
  announced: Promise<void> | undefined;
  readonly subscribers = new Set<Connection>();
  readonly instructionSources: readonly string[];
  readonly workspaceRoots: readonly string[];
  readonly environmentId: string;
  readonly warnings: readonly string[];
  readonly ephemeral: boolean;
  record: ThreadRecord;
  /** The newest turn was interrupted: what waits for the thread goes on waiting. */
  wasInterrupted: boolean;
  readonly #environment: ThreadEnvironment;
  readonly #projector: EventProjector;
  readonly #unsubscribe: () => void;
  #facts = changeStatus(notLoaded, "loaded");
  readonly #interrupts: (() => void)[] = [];
  #lastInterrupted: string | null = null;
  #saidSomething: boolean;
  #openedTurns: (() => Turn[]) | undefined;

  constructor(opened: OpenedThread, ephemeral: boolean, environment: ThreadEnvironment) {
    this.session = opened.session;
    this.record = opened.record;
    this.instructionSources = opened.instructionSources;
    this.workspaceRoots = opened.workspaceRoots;
    this.environmentId = opened.environmentId;
    this.warnings = opened.warnings;
    this.ephemeral = ephemeral;
    this.wasInterrupted = opened.wasInterrupted ?? false;
    this.#saidSomething = opened.record.preview !== "";
    this.#openedTurns = opened.turns;
    this.#environment = environment;
    this.#projector = new EventProjector(this.id, opened.session.snapshot().settings, environment.nowMs);
    this.#unsubscribe = this.session.subscribe((event) => this.#receive(event));
  }

  /** The turns its file had when it was opened; undefined when they were taken before, or something has happened since. */
  takeOpenedTurns(): Turn[] | undefined {
    const turns = this.#openedTurns?.();
    this.forgetOpenedTurns();
    return turns;
  }

  forgetOpenedTurns(): void {
    this.#openedTurns = undefined;
  }

  get id(): string {
    return this.session.threadId;
  }

  get status(): ThreadStatus {
    return statusOf(this.#facts);
  }

  /** There is a file from which turns can be read. */
  get materialized(): boolean {
    return this.#saidSomething || this.session.snapshot().isMaterialized === true;
  }

  get activeTurnId(): string | null {
    return this.#projector.activeTurnId ?? this.session.snapshot().activeTurnId;
  }

  /** The running turn without its items. */
  get activeTurn(): Turn | null {
    const id = this.activeTurnId;
    return id === null ? null : { ...emptyTurn(id), startedAt: this.#projector.activeTurnStartedAt };
  }

  get lastInterruptedTurnId(): string | null {
    return this.#lastInterrupted;
  }

  notify(method: string, params: Record<string, unknown>): void {
    this.#environment.notify(this.subscribers, method, params);
  }

  /** Resolves when the running turn has ended and before its end is told. */
  turnEnd(): Promise<void> {
    return new Promise((resolve) => this.#interrupts.push(resolve));
  }

  replayRequests(connection: Connection): void {
    this.#environment.requests.replay(this.id, connection);
  }

  changeStatus(change: StatusChange): void {
    const before = this.status;
    this.#facts = changeStatus(this.#facts, change);
    const after = this.status;
    if (!sameStatus(before, after)) {
      this.#environment.broadcast("thread/status/changed", { threadId: this.id, status: after });
    }
  }

  async shutdown(): Promise<void> {
    await this.session.shutdown();
    this.#unsubscribe();
    this.#environment.requests.turnMovedOn(this.id);
  }

  #receive(event: SessionEvent): void {
    const early =
      event.msg.type === "warning" ||
      event.msg.type === "mcp_startup_update" ||
      event.msg.type === "thread_settings_applied";
    if (!early) this.forgetOpenedTurns();
    if (early) this.queue.pushEarly(() => this.#handle(event));
    else this.queue.push(() => this.#handle(event));
  }

  #handle(event: SessionEvent): void {
    this.#remember(event);
    this.#apply(this.#projector.project(event));
  }

  #remember({ msg }: SessionEvent): void {
    if (msg.type === "thread_settings_applied") this.record = { ...this.record, cwd: msg.thread_settings.cwd };
    if (msg.type === "turn_aborted") this.#lastInterrupted = msg.turn_id ?? null;
    if (msg.type === "turn_aborted" && msg.reason === "interrupted") this.wasInterrupted = true;
    if (msg.type === "task_complete") this.wasInterrupted = false;
    if (msg.type === "task_started" || msg.type === "task_complete" || msg.type === "turn_aborted") {
      this.record = { ...this.record, updatedAt: Math.floor(this.#environment.nowMs() / 1000) };
    }
    if (msg.type !== "item_completed" || msg.item.type !== "UserMessage") return;
    this.#saidSomething = true;
    if (this.record.preview !== "") return;
    const text = msg.item.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    this.record = { ...this.record, preview: previewOf(text, msg.item.content) };
  }

  #apply(effects: readonly Effect[], endedBefore: readonly number[] = []): void {
    let ended = endedBefore;
    for (const [index, effect] of effects.entries()) {
      switch (effect.kind) {
        case "notify":
          this.notify(effect.method, effect.params);
          break;
        case "status":
          this.changeStatus(effect.change);
          break;
        case "ask":
          this.#ask(effect);
          break;
        case "turnTransition":
          ended = this.#environment.requests.turnMovedOn(this.id);
          break;
        case "answerInterrupts":
          if (this.#interrupts.length === 0) break;
          this.#answerInterrupts(() => this.#apply(effects.slice(index + 1), ended));
          return;
        case "closed":
          this.#environment.closed(this);
          break;
      }
    }
    // Told last: the turn's own end comes first.
    for (const requestId of ended) this.notify("serverRequest/resolved", { threadId: this.id, requestId });
  }

  /** The replies leave in a later step of the event loop; the end of the turn must not overtake them. */
  #answerInterrupts(rest: () => void): void {
    const release = this.queue.hold();
    this.queue.pushFirst(rest);
    for (const resolve of this.#interrupts.splice(0)) resolve();
    release();
  }

  #ask(effect: AskEffect): void {
    this.#environment.requests.ask(
      {
        threadId: this.id,
        method: effect.method,
        params: effect.params,
        settled: (outcome, requestId) => {
          if (outcome.kind === "turnTransition") this.#endedWithTurn(effect);
          else this.queue.push(() => this.#answered(effect, outcome, requestId));
        },
      },
      this.subscribers,
    );
  }

  /** A question of an MCP server may belong to no turn; it ends with whatever turn moves on. */
  #endedWithTurn({ answer }: AskEffect): void {
    if (answer.to === "elicitation") this.session.resolveElicitation(answer.server, answer.id, { action: "cancel" });
  }

  #answered(effect: AskEffect, outcome: Exclude<Outcome, { kind: "turnTransition" }>, requestId: number): void {
    this.notify("serverRequest/resolved", { threadId: this.id, requestId });
    const { answer } = effect;
    switch (answer.to) {
      case "userInput": {
        this.changeStatus("userInputReleased");
        const answered = outcome.kind === "answered";
        const response: RequestUserInputResponse = answered ? plainAnswers(outcome.result) : { answers: {} };
        const empty = Object.values(response.answers).every(({ answers }) => answers.length === 0);
        this.session.answer(
          answer.turnId,
          response,
          !answered ? "clientFailed" : empty ? "submittedEmpty" : "submitted",
        );
        break;
      }
      case "command": {
        const decision =
          outcome.kind === "answered" ? (outcome.result as CommandExecutionRequestApprovalResponse).decision : null;
        const refused =
          decision === null ? "failed" : decision === "decline" || decision === "cancel" ? "declined" : null;
        if (answer.item && refused) this.#apply(this.#projector.commandRefused(answer.turnId, answer.item, refused));
        this.changeStatus("approvalReleased");
        this.session.decide(answer.approvalId, clientDecision(decision));
        break;
      }
      case "elicitation": {
        this.changeStatus("approvalReleased");
        this.session.resolveElicitation(answer.server, answer.id, elicitationAnswer(outcome));
        break;
      }
      case "permissions": {
        this.changeStatus("approvalReleased");
        this.session.grantPermissions(answer.callId, permissionAnswer(outcome));
        break;
      }
      case "patch": {
        const decision =
          outcome.kind === "answered" ? (outcome.result as FileChangeRequestApprovalResponse).decision : null;
        this.changeStatus("approvalReleased");
        this.session.decide(answer.approvalId, clientDecision(decision));
        break;
      }
    }
  }
}

/** Only what the protocol names: other members of the reply are dropped. */
function plainAnswers(result: unknown): RequestUserInputResponse {
  const { answers } = result as RequestUserInputResponse;
  return {
    answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, { answers: [...answer.answers] }])),
  };
}

const requestMarker = "## My request for Codex:";

export function previewOf(text: string, content: readonly { readonly type: string }[]): string {
  const marker = text.indexOf(requestMarker);
  const request = (marker >= 0 ? text.slice(marker + requestMarker.length) : text).trim();
  if (request !== "") return request;
  if (content.some(({ type }) => type === "image" || type === "local_image")) return "[Image]";
  return content.some(({ type }) => type === "audio" || type === "local_audio") ? "[Audio]" : "";
}
