/**
 * One thread of work with at most one active turn. Owns the public operations; what they do lies in the rooms beside
 * this file: routing, turns, questions, settings, recording.
 */
import type {
  InterAgentCommunication,
  RequestUserInputResponse,
  ResponseItem,
  ReviewDecision,
  ThreadSettings,
  ThreadSettingsOverrides,
  TurnInputMode,
  TurnInputRequest,
  TurnInputSubmission,
} from "@turnkit/protocol";
import { validate } from "@turnkit/protocol/validate";
import type { McpServerConfig } from "../config/mcp-config.js";
import { userInputContent } from "../context/media/user-input-content.js";
import { estimateTokens } from "../history/estimate-tokens.js";
import { freshId } from "../ids.js";
import type { ElicitationAnswer } from "../mcp/elicitation.js";
import { ownerCall, ownerRead } from "../mcp/owner-calls.js";
import type { McpCallResult, McpServerSnapshot } from "../mcp/server-facts.js";
import type {
  AnswerCause,
  BackgroundTerminal,
  PermissionAnswer,
  Session,
  SessionEvent,
  SessionSnapshot,
} from "../session-api.js";
import type { TurnStart } from "../turn/active-turn.js";
import { compactionTurn } from "../turn/run-turn.js";
import { NO_RATE_LIMITS } from "../turn/sample.js";
import { runShellCommand, SHELL_KIND } from "../turn/shell-command.js";
import { shellTurn } from "../turn/shell-turn.js";
import { contextWindow } from "../turn/token-limits.js";
import { InvalidRequestError, SessionClosedError } from "./errors.js";
import type { PendingInput } from "./input-queue.js";
import type { Runtime } from "./runtime.js";
import { previewSettings } from "./thread-settings.js";
import {
  type InputFacts,
  type Routing,
  routeStartIfIdle,
  routeStartOrSteer,
  routeSteer,
  type SessionFacts,
} from "./turn-input-router.js";
import { type IdleCause, TurnLifecycle } from "./turn-lifecycle.js";

interface StartOptions {
  readonly id: string;
  readonly isRecovery: boolean;
}

export class CoreSession implements Session {
  readonly lifecycle: TurnLifecycle;
  readonly #warnedModels = new Set<string>();
  #closed: Promise<void> | undefined;

  constructor(private readonly runtime: Runtime) {
    this.lifecycle = new TurnLifecycle({ runtime: () => runtime, onIdle: (cause) => this.#idle(cause) });
  }

  get threadId(): string {
    return this.runtime.parts.threadId;
  }

  snapshot(): SessionSnapshot {
    const { history, recorder, answers } = this.runtime.parts;
    return {
      threadId: this.threadId,
      settings: this.runtime.settings,
      activeTurnId: this.lifecycle.active?.id ?? null,
      tokenUsage: history.usage,
      rolloutPath: recorder?.path ?? null,
      isMaterialized: recorder?.isMaterialized ?? false,
      answers: answers.outcomes,
      questions: answers.record.counts,
    };
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.runtime.parts.mcp?.follow();
    return this.runtime.parts.events.subscribe(listener);
  }

  events(options: { signal?: AbortSignal } = {}): AsyncIterable<SessionEvent> {
    this.runtime.parts.mcp?.follow();
    return this.runtime.parts.events.iterate(options.signal);
  }

  async submit(request: TurnInputRequest, mode: TurnInputMode): Promise<TurnInputSubmission> {
    const checked = validate("TurnInputRequest", request);
    if (!checked.ok) {
      const issue = checked.issues[0];
      throw new InvalidRequestError(
        `request${issue?.path ? `.${issue.path}` : ""} ${issue?.message ?? "is not valid"}`,
      );
    }
    if (mode !== "StartIfIdle" && !("UserInput" in request.input))
      throw new InvalidRequestError("only user input can steer a turn");
    return await this.#submit(request, mode, { id: freshId(), isRecovery: false });
  }

  async recover(turnId: string, settings?: ThreadSettingsOverrides): Promise<TurnInputSubmission> {
    const request: TurnInputRequest = {
      input: { UserInput: { content: [], client_id: null } },
      ...(settings === undefined ? {} : { thread_settings: settings }),
    };
    return await this.#submit(request, "StartIfIdle", { id: turnId, isRecovery: true });
  }

  async #submit(request: TurnInputRequest, mode: TurnInputMode, start: StartOptions): Promise<TurnInputSubmission> {
    // A turn that is being ended takes nothing any more; what comes now meets the session after it.
    for (let ending = this.lifecycle.active?.ending; ending; ending = this.lifecycle.active?.ending) await ending;
    this.#throwIfClosed();
    // From here to the decision nothing is awaited: it is taken on one state and carried out on the same.
    const settings = previewSettings(this.runtime.settings, request.thread_settings, this.runtime.parts.features);
    const routing = this.#route(request, mode, settings, start);
    if (routing.type === "refuse") return { NotSubmitted: { reason: routing.reason } };
    const input = this.#pendingInput(request);
    if (routing.type === "steer") {
      const active = this.lifecycle.active!;
      this.#applySettings(request, settings, active.id);
      active.input.push(...input);
      active.input.phase = "currentTurn";
      active.metadata = { ...active.metadata, ...request.responsesapi_client_metadata };
      return { Steered: { turn_id: routing.turnId } };
    }
    this.#applySettings(request, settings, start.id);
    this.#warnOfModel(start.id);
    this.lifecycle.start(
      {
        ...this.#startOf(start.id, "regular"),
        outputSchema: request.start?.final_output_json_schema,
        parentTurnId: request.start?.parent_turn_id ?? null,
        rootTurnId: request.start?.root_turn_id ?? null,
        metadata: request.responsesapi_client_metadata ?? {},
      },
      input,
    );
    return { Started: { turn_id: start.id } };
  }

  #route(request: TurnInputRequest, mode: TurnInputMode, settings: ThreadSettings, start: StartOptions): Routing {
    const active = this.lifecycle.active;
    const session: SessionFacts = {
      activeTurn: active && {
        id: active.id,
        kind: active.start.kind,
        hasTask: true,
        outputSchema: active.start.outputSchema,
      },
      pendingTriggerTurn: this.runtime.parts.mailbox.hasTrigger,
      mode: this.runtime.settings.collaboration_mode.mode,
    };
    const { input } = request;
    const facts: InputFacts = {
      isUserInput: "UserInput" in input,
      isEmpty: "UserInput" in input && input.UserInput.content.length === 0,
      outputSchema: request.start?.final_output_json_schema ?? undefined,
      modeAfterSettings: settings.collaboration_mode.mode,
      isRecovery: start.isRecovery,
    };
    if (mode === "StartOrSteer") return routeStartOrSteer(session, facts);
    if (mode === "StartIfIdle") return routeStartIfIdle(session, facts);
    return routeSteer(session, facts, mode.Steer.expected_turn_id);
  }

  /** Changed context first, then the input itself. Attachments begin to be read. */
  #pendingInput(request: TurnInputRequest): PendingInput[] {
    const { input } = request;
    const pending: PendingInput[] = this.runtime.parts.additionalContext
      .merge(request.additional_context)
      .map(({ item, kind }) => ({ type: "item", item, kinds: [kind] }));
    if ("UserInput" in input) {
      const { content, client_id: clientId } = input.UserInput;
      if (content.length > 0) pending.push({ type: "user", content, clientId, prepared: userInputContent(content) });
    } else if ("ResponseItem" in input) pending.push({ type: "item", item: input.ResponseItem, kinds: undefined });
    else pending.push({ type: "agent", communication: input.InterAgentCommunication });
    return pending;
  }

  /** Once for each model: what is not known of it may make it work worse. */
  #warnOfModel(turnId: string): void {
    const { model } = this.runtime.settings;
    if (this.runtime.parts.models.isKnown(model) || this.#warnedModels.has(model)) return;
    this.#warnedModels.add(model);
    this.runtime.emit(turnId, {
      type: "warning",
      message: `Model metadata for \`${model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`,
    });
  }

  /** A running turn keeps the settings it began with. */
  #applySettings(request: TurnInputRequest, settings: ThreadSettings, turnId: string): void {
    if (request.thread_settings === undefined || Object.keys(request.thread_settings).length === 0) return;
    this.#changeSettings(settings, turnId);
  }

  #changeSettings(settings: ThreadSettings, turnId: string): void {
    this.runtime.settings = settings;
    this.runtime.emit(turnId, { type: "thread_settings_applied", thread_settings: settings });
  }

  async updateSettings(overrides: ThreadSettingsOverrides): Promise<void> {
    this.#throwIfClosed();
    this.#changeSettings(previewSettings(this.runtime.settings, overrides, this.runtime.parts.features), "");
  }

  deliver(communication: InterAgentCommunication): void {
    this.runtime.parts.mailbox.deliver(communication);
    this.#startPendingWork();
  }

  #idle(cause: IdleCause): void {
    if (cause !== "replaced") this.#startPendingWork();
  }

  /** An idle session goes on by itself when another agent asked it to. */
  #startPendingWork(): void {
    if (this.#closed || this.lifecycle.active || !this.runtime.parts.mailbox.hasTrigger) return;
    this.lifecycle.start(this.#startOf(freshId(), "regular"), []);
  }

  async compact(): Promise<string> {
    await this.#takePlace();
    const id = freshId();
    this.lifecycle.start(this.#startOf(id, "compact"), [], compactionTurn);
    return id;
  }

  async runShellCommand(command: string): Promise<string> {
    for (let ending = this.lifecycle.active?.ending; ending; ending = this.lifecycle.active?.ending) await ending;
    this.#throwIfClosed();
    const { active } = this.lifecycle;
    if (active?.start.kind === "regular") {
      void runShellCommand(this.runtime, { command, turnId: active.id, signal: active.signal })
        .then((item) => this.#handIn(active.id, [item], [SHELL_KIND]))
        .catch((error: unknown) => this.runtime.parts.logger.warn(`a command was not recorded: ${String(error)}`));
      return active.id;
    }
    if (active) throw new InvalidRequestError(`a command cannot run during a ${active.start.kind} turn`);
    const id = freshId();
    this.lifecycle.start(this.#startOf(id, "regular"), [], shellTurn(command));
    return id;
  }

  async injectItems(items: readonly ResponseItem[]): Promise<void> {
    for (const [index, item] of items.entries()) {
      const checked = validate("ResponseItem", item);
      const issue = checked.ok ? undefined : checked.issues[0];
      if (!checked.ok)
        throw new InvalidRequestError(
          `items[${index}]${issue?.path ? `.${issue.path}` : ""} ${issue?.message ?? "is not valid"}`,
        );
    }
    await this.#handIn(freshId(), items, undefined);
  }

  /** For the model: with the running turn's next request, else in the history at once. */
  async #handIn(turnId: string, items: readonly ResponseItem[], kinds: readonly string[] | undefined): Promise<void> {
    for (let ending = this.lifecycle.active?.ending; ending; ending = this.lifecycle.active?.ending) await ending;
    this.#throwIfClosed();
    const { active } = this.lifecycle;
    if (active) {
      active.input.push(...items.map((item) => ({ type: "item" as const, item, kinds })));
      return;
    }
    for (const item of items) this.runtime.recordItem(turnId, item, kinds);
    this.runtime.parts.recorder?.materialize();
    await this.flush();
  }

  /** Whatever runs gives way. */
  async #takePlace(): Promise<void> {
    this.#throwIfClosed();
    while (this.lifecycle.active) await this.lifecycle.replace();
    this.#throwIfClosed();
  }

  #startOf(id: string, kind: TurnStart["kind"]): TurnStart {
    const { settings } = this.runtime;
    return { id, kind, settings, outputSchema: undefined, parentTurnId: null, rootTurnId: null, metadata: {} };
  }

  async interrupt(): Promise<void> {
    await this.lifecycle.interrupt();
  }

  async rollback(turns: number): Promise<void> {
    this.#throwIfClosed();
    if (!Number.isInteger(turns) || turns < 1) throw new InvalidRequestError("num_turns must be >= 1");
    if (this.lifecycle.active) throw new InvalidRequestError("Cannot rollback while a turn is in progress.");
    const { history, baseInstructions } = this.runtime.parts;
    history.rollBack(turns);
    const info = history.estimateUsage(
      estimateTokens(baseInstructions, history.items),
      contextWindow(this.runtime, this.runtime.settings.model),
    );
    this.runtime.emit(freshId(), { type: "token_count", info, rate_limits: NO_RATE_LIMITS });
    this.runtime.emit("", { type: "thread_rolled_back", num_turns: turns });
    await this.flush();
  }

  answer(turnId: string, response: RequestUserInputResponse, cause?: AnswerCause): void {
    const empty = Object.values(response.answers).every(({ answers }) => answers.length === 0);
    this.runtime.parts.answers.answer(turnId, response, cause ?? (empty ? "submittedEmpty" : "submitted"));
  }

  decide(approvalId: string, decision: ReviewDecision): void {
    this.runtime.parts.approvals.decide(approvalId, decision);
  }

  grantPermissions(callId: string, answer: PermissionAnswer): void {
    this.runtime.parts.permissionRequests.decide(callId, answer);
  }

  resolveElicitation(server: string, id: string | number, answer: ElicitationAnswer): void {
    this.runtime.parts.mcpQuestions.answer(server, String(id), answer);
  }

  async mcpServers(
    options: { readonly resources?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<readonly McpServerSnapshot[]> {
    return (await this.runtime.parts.mcp?.snapshots(options)) ?? [];
  }

  async callMcpTool(server: string, tool: string, input: unknown, meta?: unknown): Promise<McpCallResult> {
    this.#throwIfClosed();
    return await ownerCall(this.runtime.parts.mcp, server, tool, input, meta);
  }

  async readMcpResource(server: string, uri: string): Promise<Readonly<Record<string, unknown>>> {
    this.#throwIfClosed();
    return await ownerRead(this.runtime.parts.mcp, server, uri);
  }

  async retryMcpServer(server: string): Promise<void> {
    await this.runtime.parts.mcp?.current?.servers.get(server)?.start();
  }

  async reloadMcpServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<void> {
    this.#throwIfClosed();
    await this.runtime.parts.mcp?.reload(servers);
  }

  incrementElicitation(): number {
    return this.runtime.parts.elicitations.increment();
  }

  decrementElicitation(): number {
    const count = this.runtime.parts.elicitations.decrement();
    if (count === undefined) throw new InvalidRequestError("out-of-band elicitation count is already zero");
    return count;
  }

  backgroundTerminals(): readonly BackgroundTerminal[] {
    return this.runtime.parts.exec?.list() ?? [];
  }

  async terminateBackgroundTerminal(processId: string): Promise<boolean> {
    return (await this.runtime.parts.exec?.terminate(Number(processId))) ?? false;
  }

  async cleanBackgroundTerminals(): Promise<void> {
    await this.runtime.parts.exec?.clean();
  }

  async flush(): Promise<void> {
    await this.runtime.parts.recorder?.flush();
  }

  #throwIfClosed(): void {
    if (this.#closed) throw new SessionClosedError();
  }

  async shutdown(): Promise<void> {
    this.#closed ??= this.#shutdown();
    await this.#closed;
  }

  /** Whatever one part does, the others end, the file is complete and whoever waits for the end learns of it. */
  async #shutdown(): Promise<void> {
    const { events, hooks, logger, mcp, mcpQuestions, networkProxy, recorder } = this.runtime.parts;
    const attempt = async (work: () => PromiseLike<unknown> | undefined, failed: string): Promise<void> => {
      try {
        await work();
      } catch (error) {
        logger.warn(`${failed}: ${String(error)}`);
      }
    };
    await attempt(() => this.lifecycle.interrupt(), "the turn did not end as it should");
    await attempt(() => this.cleanBackgroundTerminals(), "terminals may live on");
    mcpQuestions.clear(null);
    await attempt(() => mcp?.[Symbol.asyncDispose](), "MCP servers may live on");
    await attempt(() => networkProxy?.[Symbol.asyncDispose](), "the network proxy may live on");
    await attempt(() => hooks?.sessionEnd?.(), "the hooks of the session's end failed");
    await attempt(() => recorder?.close(), "the session file is incomplete");
    events.publish({ id: "", msg: { type: "shutdown_complete" } });
    events.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }
}
