/** The `Thread` object and the opening replies as clients see them. Pure. */
import type { AppParams, AppResult, Thread, ThreadStatus, Turn } from "@turnkit/protocol/app";
import { activeProfile, toClientSandbox } from "../events/settings.js";
import type { ThreadRecord } from "../ports.js";
import type { LoadedThread } from "./loaded-thread.js";

interface View {
  readonly status: ThreadStatus;
  readonly turns: readonly Turn[];
  /** null: not said, as in lists. */
  readonly canAcceptDirectInput: boolean | null;
  readonly ephemeral: boolean;
}

export function toThread(record: ThreadRecord, view: View): Thread {
  return {
    id: record.id,
    extra: null,
    sessionId: record.sessionId,
    forkedFromId: record.forkedFromId,
    parentThreadId: record.parentThreadId,
    preview: record.preview,
    ephemeral: view.ephemeral,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: "legacy",
    modelProvider: record.modelProvider,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    recencyAt: record.updatedAt,
    status: view.status,
    path: record.path,
    cwd: record.cwd,
    cliVersion: record.cliVersion,
    source: record.source,
    canAcceptDirectInput: view.canAcceptDirectInput,
    threadSource: record.threadSource,
    agentNickname: null,
    agentRole: null,
    gitInfo: Object.values(record.gitInfo ?? {}).some((value) => value !== null) ? record.gitInfo : null,
    name: record.name,
    turns: [...view.turns],
  };
}

export function toLoadedThread(thread: LoadedThread, turns: readonly Turn[]): Thread {
  const record = thread.ephemeral ? { ...thread.record, path: null } : thread.record;
  return toThread(record, {
    status: thread.status,
    turns,
    canAcceptDirectInput: true,
    ephemeral: thread.ephemeral,
  });
}

/** Rows of lists leave out where a thread was forked from. */
export function toListed(record: ThreadRecord, status: ThreadStatus): Thread {
  return toThread(
    { ...record, forkedFromId: null },
    { status, turns: [], canAcceptDirectInput: null, ephemeral: false },
  );
}

/** What the replies to start, resume and fork have in common. */
export function toOpened(thread: LoadedThread, turns: readonly Turn[]): AppResult<"thread/start"> {
  const { settings } = thread.session.snapshot();
  return {
    thread: toLoadedThread(thread, turns),
    model: settings.model,
    modelProvider: settings.model_provider_id,
    serviceTier: settings.service_tier ?? null,
    cwd: settings.cwd,
    runtimeWorkspaceRoots: [...thread.workspaceRoots],
    instructionSources: [...thread.instructionSources],
    approvalPolicy: settings.approval_policy,
    approvalsReviewer: settings.approvals_reviewer ?? "user",
    sandbox: toClientSandbox(settings.sandbox_policy),
    activePermissionProfile: activeProfile(settings),
    reasoningEffort: settings.reasoning_effort ?? null,
    multiAgentMode: "explicitRequestOnly",
  };
}

export type OpeningParams = AppParams<"thread/start"> | AppParams<"thread/resume"> | AppParams<"thread/fork">;
