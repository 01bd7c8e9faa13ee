/** Puts a session together from its options: defaults, tools, file. */
import { tmpdir } from "node:os";
import type { EventMsg, SessionMeta, SessionSource } from "@turnkit/protocol";
import { type Logger, type PermissionAnswer, UnifiedExec } from "@turnkit/tools";
import { CommandRules } from "../approvals/command-rules.js";
import { SessionExecAuthorizer } from "../approvals/exec-authorizer.js";
import { GrantedPermissions } from "../approvals/granted-permissions.js";
import { SessionNetworkApprovals } from "../approvals/network-approvals.js";
import { NetworkProxy } from "../approvals/network-proxy.js";
import { SessionPatchAuthorizer } from "../approvals/patch-authorizer.js";
import { SessionPermissionAsker } from "../approvals/permission-asker.js";
import { systemClock } from "../clock.js";
import { ContextWindows } from "../compaction/windows.js";
import { AdditionalContextStore } from "../context/additional-context.js";
import { BASE_INSTRUCTIONS } from "../context/base-instructions.js";
import { readProjectInstructions } from "../context/project-instructions.js";
import { userWords } from "../context/user-words.js";
import { WorldState } from "../context/world-state.js";
import { History } from "../history/history.js";
import { freshId } from "../ids.js";
import { LazyMcp } from "../mcp/lazy-mcp.js";
import { ModelCatalogue } from "../model/model-catalogue.js";
import type { RolloutRecorder } from "../rollout/recorder.js";
import type { RolloutItem } from "../rollout/rollout-item.js";
import type { Session } from "../session-api.js";
import type { ActiveTurn } from "../turn/active-turn.js";
import { SessionPatchReporter } from "../turn/patch-reporter.js";
import { VERSION } from "../version.js";
import { commandHooks } from "./command-hooks.js";
import { Elicitations } from "./elicitations.js";
import { EventStream } from "./event-stream.js";
import { Mailbox } from "./input-queue.js";
import { PendingAnswers } from "./pending-answers.js";
import { PendingApprovals } from "./pending-approvals.js";
import { PendingElicitations } from "./pending-elicitations.js";
import { Runtime } from "./runtime.js";
import { CoreSession } from "./session.js";
import type { SessionFeatures, SessionOptions } from "./session-options.js";
import { createToolSet, defaultShell } from "./tool-set.js";
import { notifyOfTurn, type TurnNotifierOptions } from "./turn-notifier.js";
import { SessionPrompter } from "./user-prompter.js";

const SILENT: Logger = { warn() {}, info() {} };

const DEFAULT_FEATURES: SessionFeatures = {
  defaultModeQuestions: false,
  questionTool: true,
  permissionTool: false,
  commandPermissions: false,
};

export function isRootSource(source: SessionSource): boolean {
  return !(typeof source === "object" && ("internal" in source || "subagent" in source));
}

/**
 * @throws {SessionInUseError} the history's file is being written by another program
 * @throws {Error} a tool's name is taken, or the process host cannot be reached
 */
export async function createSession(options: SessionOptions): Promise<Session> {
  const threadId = options.threadId ?? freshId();
  const sessionId = options.sessionId ?? threadId;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? SILENT;
  const features = { ...DEFAULT_FEATURES, ...options.features };
  const source = options.source ?? "unknown";
  const host = options.processHost ?? null;
  const shell = await defaultShell(host, options.exec ?? {});
  const elicitations = new Elicitations();
  const models = new ModelCatalogue(options.models, options.modelOverrides);
  // The parts refer to the runtime, which is made of them: they ask for it when they are used.
  let runtime: Runtime | undefined;
  let session: CoreSession | undefined;
  const getRuntime = () => runtime!;
  const emit = (turnId: string, event: EventMsg) => getRuntime().emit(turnId, event);
  const networkProxy = options.network === "ask" && host !== null ? await NetworkProxy.start() : undefined;
  const network = networkProxy
    ? new SessionNetworkApprovals({
        runtime: getRuntime,
        proxy: networkProxy,
        activeTurnId: () => session?.lifecycle.active?.id,
        abortTurn: (turnId) => abortTurn(turnId),
      })
    : options.network === "ask"
      ? undefined
      : options.network;
  const exec =
    host === null
      ? undefined
      : new UnifiedExec({
          host,
          clock,
          pause: elicitations,
          emit,
          maxPollMs: options.exec?.maxPollMs,
          network,
        });
  const abortTurn = (turnId: string) => {
    if (session?.lifecycle.active?.id === turnId) void session.interrupt();
  };
  const patchReporter = new SessionPatchReporter({ threadId, clock, emit });
  const mcpQuestions = new PendingElicitations({ elicitations, emit });
  const mcp = options.mcp
    ? new LazyMcp(options.mcp, {
        threadId,
        cwd: options.settings.cwd,
        clock,
        pause: elicitations,
        log: (line) => logger.warn(line),
        settings: () => getRuntime().settings,
        modalities: () => models.info(getRuntime().settings.model).modalities,
        activeTurnId: () => session?.lifecycle.active?.id ?? null,
        emit,
        ask: (server, turnId, request, signal) => mcpQuestions.ask(server, turnId, request, signal),
        permissionRequest: async (request, signal) =>
          await getRuntime().parts.hooks?.permissionRequest?.(request, signal),
      })
    : undefined;
  const answers = new PendingAnswers(logger);
  const granted = new GrantedPermissions();
  const tools = createToolSet({
    features,
    prompter: new SessionPrompter({ runtime: getRuntime, activeTurn: () => session?.lifecycle.active }),
    questionRefused: ({ mode, id, isRootThread }, callId, reason) => {
      const facts = `mode ${mode}, default_mode_request_user_input ${features.defaultModeQuestions}, root thread ${isRootThread}`;
      answers.record.notShown(id, callId, reason, facts);
    },
    exec,
    authorizer: new SessionExecAuthorizer({
      runtime: getRuntime,
      abortTurn,
      sandboxAvailable: async () => (await host?.canConfine?.()) ?? false,
      rules: new CommandRules(options.rulesFile ?? null),
      granted,
    }),
    patchAuthorizer: new SessionPatchAuthorizer({
      runtime: getRuntime,
      abortTurn,
      temporaryFolders: [...new Set(["/tmp", tmpdir()])],
      granted,
    }),
    permissionAsker: new SessionPermissionAsker({ runtime: getRuntime, granted }),
    patchReporter,
    clock,
    modelSeesImages: () => models.info(getRuntime().settings.model).modalities.includes("image"),
    imageViewed: (turn, callId, file) => reportImage(getRuntime(), turn.id, callId, file),
    execSettings: options.exec ?? {},
    shell,
    threadId,
    sessionId,
    extra: options.tools ?? [],
    changing: mcp,
  });
  const baseInstructions = options.baseInstructions ?? BASE_INSTRUCTIONS;
  const windowId = freshId();
  const windows = new ContextWindows(options.history?.window ?? { number: 0, firstId: windowId, id: windowId });
  const recorder = openRecorder(options, {
    threadId,
    sessionId,
    source,
    baseInstructions,
    startedAt: clock.epochMs(),
    windowId: windows.id,
  });
  if (options.history?.path) await recorder?.claim?.();
  runtime = new Runtime(
    {
      threadId,
      clock,
      logger,
      events: new EventStream((error) => logger.warn(`an event listener failed: ${String(error)}`)),
      history: new History(options.history?.items, options.history?.usage ?? null, options.history?.replaced ?? null),
      recorder,
      modelClient: options.modelClient,
      features,
      hooks: options.hooks ?? commandHooks(options, { threadId, sessionId, clock, logger, runtime: getRuntime }),
      notify: isRootSource(source) && options.notify ? notifier(options, options.notify, getRuntime) : undefined,
      observer: options.observer,
      additionalContext: new AdditionalContextStore(),
      worldState: new WorldState(options.history?.worldState ?? null, options.toldSections),
      mailbox: new Mailbox(),
      answers,
      approvals: new PendingApprovals(logger),
      permissionRequests: new PendingApprovals<PermissionAnswer>(logger),
      elicitations,
      mcp,
      mcpQuestions,
      models,
      exec,
      userShell: host
        ? { host, shell, isLogin: options.exec?.loginAllowed ?? true, environment: tools.environment }
        : undefined,
      networkProxy,
      tools,
      patchReporter,
      baseInstructions,
      developerInstructions: options.developerInstructions,
      contextWindow: options.modelContextWindow,
      compaction: options.compaction ?? {},
      windows,
      isRootThread: isRootSource(source),
      shellName: shell.name,
      skills: cachedByFolder(options.skills ?? (async () => [])),
      projectInstructions: cachedByFolder((cwd) =>
        readProjectInstructions(cwd, options.instructionsFolder, options.projectInstructions),
      ),
    },
    options.settings,
  );
  runtime.pendingStart = options.history === undefined ? (options.startSource ?? "startup") : "resume";
  // A fork keeps its settings at once: the turns it was given were taken with those of its source.
  if (options.history && options.forkedFromId !== undefined)
    runtime.record({ type: "thread_settings_applied", thread_settings: options.settings });
  session = new CoreSession(runtime);
  try {
    await mcp?.openConfigured();
  } catch (error) {
    await session.shutdown();
    throw error;
  }
  return session;
}

function notifier(
  { originator }: SessionOptions,
  notify: TurnNotifierOptions,
  runtime: () => Runtime,
): (turn: ActiveTurn) => void {
  return (turn) => {
    const { threadId, history, logger } = runtime().parts;
    const notification = {
      type: "agent-turn-complete",
      "thread-id": threadId,
      "turn-id": turn.id,
      cwd: turn.start.settings.cwd,
      ...(originator !== undefined && { client: originator }),
      "input-messages": userWords(history.items, history.summaries),
      "last-assistant-message": turn.lastAgentMessage,
    } as const;
    notifyOfTurn(notify, notification, logger);
  };
}

function reportImage(runtime: Runtime, turnId: string, callId: string, file: string): void {
  const item = { type: "ImageView", id: callId, path: file } as const;
  const ids = { thread_id: runtime.parts.threadId, turn_id: turnId, item };
  const at = runtime.parts.clock.epochMs();
  runtime.emit(turnId, { type: "item_started", ...ids, started_at_ms: at });
  runtime.emit(turnId, { type: "item_completed", ...ids, started_at_ms: at, completed_at_ms: at });
  runtime.emit(turnId, { type: "view_image_tool_call", call_id: callId, path: file });
}

interface MetaFacts {
  readonly threadId: string;
  readonly sessionId: string;
  readonly source: SessionSource;
  readonly baseInstructions: string;
  readonly startedAt: number;
  readonly windowId: string;
}

function openRecorder(options: SessionOptions, facts: MetaFacts): RolloutRecorder | null {
  const { store } = options;
  if (!store) return null;
  if (options.history?.path) return store.resume(options.history.path);
  const startedAt = new Date(facts.startedAt);
  const meta: SessionMeta = {
    session_id: facts.sessionId,
    id: facts.threadId,
    ...(options.forkedFromId === undefined ? {} : { forked_from_id: options.forkedFromId }),
    timestamp: startedAt.toISOString(),
    cwd: options.settings.cwd,
    originator: options.originator ?? "turnkit_core",
    cli_version: VERSION,
    source: facts.source,
    model_provider: options.settings.model_provider_id,
    base_instructions: {
      text: facts.baseInstructions,
      provenance:
        options.baseInstructions === undefined ? { type: "model", model: options.settings.model } : { type: "custom" },
    } as NonNullable<SessionMeta["base_instructions"]>,
    history_mode: "legacy",
    context_window: { window_id: facts.windowId },
  };
  const recorder = store.create(meta, startedAt);
  const copied = options.history?.copiedLines;
  if (copied) for (const line of copied) recorder.append(line as RolloutItem);
  else for (const item of options.history?.items ?? []) recorder.append({ type: "response_item", payload: item });
  // A copied history is on disk from the start.
  if (copied) recorder.materialize();
  return recorder;
}

function cachedByFolder<T>(read: (cwd: string) => Promise<T>): (cwd: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (cwd) => {
    const found = known.get(cwd) ?? read(cwd);
    known.set(cwd, found);
    return found;
  };
}
