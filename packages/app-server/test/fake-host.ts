/** Threads without core: sessions whose events a test emits by hand. */
import type { PermissionAnswer, Session, SessionEvent, SessionSnapshot } from "@turnkit/core";
import type { EventMsg, RequestUserInputResponse, ReviewDecision, ThreadSettings } from "@turnkit/protocol";
import type { ThreadHost, ThreadOptions, ThreadQueues, ThreadRecord } from "../src/ports.js";

export const settings: ThreadSettings = {
  model: "fake-model",
  model_provider_id: "fake",
  cwd: "/proj",
  approval_policy: "on-request",
  approvals_reviewer: "user",
  sandbox_policy: { type: "read-only", network_access: false },
  collaboration_mode: {
    mode: "default",
    settings: { model: "fake-model", reasoning_effort: null, developer_instructions: null },
  },
};

let nextThread = 0;
const threadId = () => {
  nextThread += 1;
  return `00000000-0000-7000-8000-${String(nextThread).padStart(12, "0")}`;
};

export class FakeSession {
  readonly threadId = threadId();
  readonly answers: { turnId: string; response: RequestUserInputResponse; cause: string | undefined }[] = [];
  readonly decisions: { id: string; decision: ReviewDecision }[] = [];
  readonly grants: { callId: string; answer: PermissionAnswer }[] = [];
  readonly submissions: unknown[] = [];
  /** What the next submission answers; default: a turn is started, or joined when one runs. */
  refuse: string | null = null;
  activeTurnId: string | null = null;
  elicitations = 0;
  #turns = 0;
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  get session(): Session {
    return this as unknown as Session;
  }

  snapshot(): SessionSnapshot {
    return {
      threadId: this.threadId,
      settings,
      activeTurnId: this.activeTurnId,
      tokenUsage: null,
      rolloutPath: null,
      questions: {},
    } as SessionSnapshot;
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(msg: EventMsg, id = this.activeTurnId ?? "none"): void {
    for (const listener of this.#listeners) listener({ id, msg });
  }

  async submit(request: unknown): Promise<unknown> {
    this.submissions.push(request);
    if (this.refuse) return { NotSubmitted: { reason: this.refuse } };
    if (this.activeTurnId) return { Steered: { turn_id: this.activeTurnId } };
    this.startTurn();
    return { Started: { turn_id: this.activeTurnId } };
  }

  startTurn(): void {
    this.#turns += 1;
    this.activeTurnId = `turn-${this.#turns}`;
    this.emit({ type: "task_started", turn_id: this.activeTurnId, started_at: 1, model_context_window: null });
  }

  ask(callId = "call"): void {
    this.emit({
      type: "request_user_input",
      call_id: callId,
      turn_id: this.activeTurnId as string,
      isBlocking: true,
      questions: [
        {
          id: "q",
          header: "H",
          question: "?",
          isOther: true,
          isSecret: false,
          options: [{ label: "a", description: "b" }],
        },
      ],
    });
  }

  complete(): void {
    const turn_id = this.activeTurnId as string;
    this.activeTurnId = null;
    this.emit({ type: "task_complete", turn_id, last_agent_message: null, completed_at: 2, duration_ms: 1 }, turn_id);
  }

  async interrupt(): Promise<void> {
    const turn_id = this.activeTurnId;
    if (!turn_id) return;
    this.activeTurnId = null;
    this.emit({ type: "turn_aborted", turn_id, reason: "interrupted", completed_at: 2, duration_ms: 1 }, turn_id);
  }

  answer(turnId: string, response: RequestUserInputResponse, cause?: string): void {
    this.answers.push({ turnId, response, cause });
  }

  decide(id: string, decision: ReviewDecision): void {
    this.decisions.push({ id, decision });
  }

  grantPermissions(callId: string, answer: PermissionAnswer): void {
    this.grants.push({ callId, answer });
  }

  incrementElicitation(): number {
    this.elicitations += 1;
    return this.elicitations;
  }

  backgroundTerminals(): [] {
    return [];
  }

  async flush(): Promise<void> {}
  async shutdown(): Promise<void> {
    await this.interrupt();
  }
}

export class FakeHost {
  readonly home = "/home/fake";
  readonly version = "0.0.0";
  readonly sessions: FakeSession[] = [];
  readonly records = new Map<string, ThreadRecord>();
  /** Set by tests that queue. */
  queues: ThreadQueues | undefined;

  get host(): ThreadHost {
    return this as unknown as ThreadHost;
  }

  readonly store = {
    find: async (id: string) => this.records.get(id) ?? null,
    list: async () => [...this.records.values()],
    turns: async () => [],
    read: async (path: string) => [...this.records.values()].find((record) => record.path === path) ?? null,
    archive: async (id: string) => this.records.get(id),
    rename: async () => {},
  };

  async open(_origin: unknown, options: ThreadOptions) {
    const session = new FakeSession();
    this.sessions.push(session);
    const record: ThreadRecord = {
      id: session.threadId,
      sessionId: session.threadId,
      forkedFromId: null,
      parentThreadId: null,
      path: `/sessions/${session.threadId}.jsonl`,
      cwd: options.cwd ?? "/proj",
      createdAt: 1,
      updatedAt: 1,
      preview: "",
      modelProvider: "fake",
      source: "vscode",
      threadSource: null,
      cliVersion: "0.0.0",
      gitInfo: null,
      name: null,
    };
    this.records.set(record.id, record);
    return {
      session: session.session,
      record,
      instructionSources: [],
      workspaceRoots: [record.cwd],
      environmentId: "local",
      warnings: [],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
