/** A connection whose server is the test: it records requests and says what it is told to say. */
import type { AppConnection, ServerNotification, ServerRequest } from "../../src/client/app-connection.js";

export interface RecordedRequest {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

const OPENED = {
  thread: {
    id: "thread-1",
    sessionId: "thread-1",
    preview: "",
    ephemeral: false,
    projectId: null,
    modelProvider: "scripted",
    createdAt: 0,
    updatedAt: 0,
    status: { type: "idle" },
    path: "/home/ada/.turnkit/sessions/rollout.jsonl",
    cwd: "/home/ada/project",
    cliVersion: "0.150.0",
    source: "cli",
    turns: [],
  },
  model: "test-model",
  modelProvider: "scripted",
  cwd: "/home/ada/project",
  approvalPolicy: "never",
  approvalsReviewer: "user",
  sandbox: { type: "dangerFullAccess" },
};

export class FakeServer implements AppConnection {
  readonly requests: RecordedRequest[] = [];
  readonly answers: { id: string | number; result: unknown }[] = [];
  /** Method → error message. */
  readonly failures = new Map<string, string>();
  /** Method → what it answers; an Error is thrown, a function is called with the parameters. */
  readonly results = new Map<string, unknown>();
  #notify: (notification: ServerNotification) => void = () => {};
  #ask: (request: ServerRequest) => Promise<unknown> = () => Promise.reject(new Error("nobody listens"));
  #turns = 0;

  async request(method: string, params: unknown): Promise<never> {
    this.requests.push({ method, params: params as Record<string, unknown> });
    const failure = this.failures.get(method);
    if (failure !== undefined) throw new Error(failure);
    if (this.results.has(method)) {
      const given = this.results.get(method);
      const result = await (typeof given === "function" ? given(params) : given);
      if (result instanceof Error) throw result;
      return result as never;
    }
    if (method === "thread/start" || method === "thread/resume" || method === "thread/fork") return OPENED as never;
    if (method === "turn/start") {
      this.#turns += 1;
      return { turn: { id: `turn-${this.#turns}`, items: [], status: "inProgress" } } as never;
    }
    return (method === "thread/list" || method === "thread/backgroundTerminals/list" ? { data: [] } : {}) as never;
  }

  onNotification(listener: (notification: ServerNotification) => void): void {
    this.#notify = listener;
  }
  onRequest(listener: (request: ServerRequest) => Promise<unknown>): void {
    this.#ask = listener;
  }
  onClose(): void {}
  async [Symbol.asyncDispose](): Promise<void> {}

  say(method: ServerNotification["method"], params: Record<string, unknown>): void {
    this.#notify({
      method,
      params: { threadId: "thread-1", turnId: "turn-1", ...params },
    } as unknown as ServerNotification);
  }

  ask(id: number, method: ServerRequest["method"], params: Record<string, unknown>): void {
    const request = {
      id,
      method,
      params: { threadId: "thread-1", turnId: "turn-1", ...params },
    } as unknown as ServerRequest;
    void this.#ask(request).then((result) => this.answers.push({ id, result }));
  }

  turnStarted(): void {
    this.say("turn/started", { turn: { id: "turn-1", items: [], status: "inProgress" } });
  }
  turnCompleted(status = "completed"): void {
    this.say("turn/completed", { turn: { id: "turn-1", items: [], status } });
  }
  user(text: string): void {
    this.say("item/completed", {
      item: { type: "userMessage", id: "u", clientId: null, content: [{ type: "text", text }] },
    });
  }
  agent(id: string, text: string): void {
    this.say("item/started", { item: { type: "agentMessage", id, text: "" } });
    for (const delta of text.match(/[\s\S]{1,7}/g) ?? []) this.say("item/agentMessage/delta", { itemId: id, delta });
    this.say("item/completed", { item: { type: "agentMessage", id, text } });
  }
  command(id: string, command: string, more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      item: {
        type: "commandExecution",
        id,
        command: `/bin/bash -lc '${command}'`,
        cwd: "/home/ada/project",
        processId: "4242",
        status: "inProgress",
        commandActions: [],
        ...more,
      },
    };
  }

  requestsOf(method: string): Record<string, unknown>[] {
    return this.requests.filter((request) => request.method === method).map((request) => request.params);
  }
}
