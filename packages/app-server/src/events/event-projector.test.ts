import type { EventMsg, ThreadSettings, TurnItem } from "@turnkit/protocol";
import { describe, expect, it } from "vitest";
import type { Effect } from "./effect.js";
import { EventProjector } from "./event-projector.js";

const started = (turn_id = "turn"): EventMsg => ({
  type: "task_started",
  turn_id,
  started_at: 100,
  model_context_window: null,
});
const completed = (turn_id = "turn"): EventMsg => ({
  type: "task_complete",
  turn_id,
  last_agent_message: null,
  started_at: 100,
  completed_at: 101,
  duration_ms: 950,
});
const turnOf = (overrides: object) => ({
  id: "turn",
  items: [],
  itemsView: "notLoaded",
  status: "inProgress",
  error: null,
  startedAt: 100,
  completedAt: null,
  durationMs: null,
  ...overrides,
});
const agentMessage = (text: string): TurnItem => ({
  type: "AgentMessage",
  id: "msg_1",
  content: [{ type: "Text", text }],
  phase: null,
});
const command = (overrides: object = {}) =>
  ({
    type: "CommandExecution",
    id: "call_1",
    process_id: "1234",
    command: ["/bin/bash", "-lc", "cat x; ls"],
    cwd: "/proj",
    parsed_cmd: [
      { type: "read", cmd: "cat x", name: "x", path: "x" },
      { type: "list_files", cmd: "ls" },
    ],
    source: "unified_exec_startup",
    status: "in_progress",
    ...overrides,
  }) as Extract<EventMsg, { type: "item_started" }>["item"];
const commandItem = (overrides: object = {}) => ({
  type: "commandExecution",
  id: "call_1",
  pluginId: null,
  scriptPath: null,
  command: "/bin/bash -lc 'cat x; ls'",
  cwd: "/proj",
  processId: "1234",
  source: "unifiedExecStartup",
  status: "inProgress",
  commandActions: [
    { type: "read", command: "cat x", name: "x", path: "/proj/x" },
    { type: "listFiles", command: "ls", path: null },
  ],
  aggregatedOutput: null,
  exitCode: null,
  durationMs: null,
  ...overrides,
});

function project(...events: EventMsg[]): Effect[] {
  const projector = new EventProjector("thread", null, () => 1_000);
  return events.flatMap((msg) => projector.project({ id: "turn", msg }));
}

/** The effects of the last event only. */
function last(...events: EventMsg[]): Effect[] {
  const projector = new EventProjector("thread", null, () => 1_000);
  return events.map((msg) => projector.project({ id: "turn", msg })).at(-1) ?? [];
}

const notification = (method: string, params: object) => ({
  kind: "notify",
  method,
  params: { threadId: "thread", ...params },
});
const names = (effects: Effect[]) => effects.map((effect) => (effect.kind === "notify" ? effect.method : effect.kind));

describe("a plain turn", () => {
  const itemEvent = (type: "item_started" | "item_completed", item: ReturnType<typeof agentMessage>): EventMsg => ({
    type,
    thread_id: "thread",
    turn_id: "turn",
    item,
    started_at_ms: 5,
    ...(type === "item_completed" ? { completed_at_ms: 6 } : {}),
  });
  const events: EventMsg[] = [
    started(),
    itemEvent("item_started", agentMessage("")),
    { type: "agent_message_content_delta", thread_id: "thread", turn_id: "turn", item_id: "msg_1", delta: "hel" },
    itemEvent("item_completed", agentMessage("hello")),
    {
      type: "token_count",
      info: {
        total_token_usage: {
          input_tokens: 5,
          cached_input_tokens: 1,
          output_tokens: 2,
          reasoning_output_tokens: 1,
          total_tokens: 7,
        },
        last_token_usage: {
          input_tokens: 5,
          cached_input_tokens: 1,
          output_tokens: 2,
          reasoning_output_tokens: 1,
          total_tokens: 7,
        },
        model_context_window: 100,
      },
      rate_limits: { limit_id: "codex" },
    },
    completed(),
  ];

  it("is told in the order of the protocol", () => {
    expect(names(project(...events))).toEqual([
      "turnTransition",
      "status",
      "turn/started",
      "item/started",
      "item/agentMessage/delta",
      "item/completed",
      "thread/tokenUsage/updated",
      "account/rateLimits/updated",
      "turnTransition",
      "answerInterrupts",
      "status",
      "turn/completed",
    ]);
  });

  it("starts with a turn that has nothing in it yet", () => {
    expect(project(started())).toEqual([
      { kind: "turnTransition" },
      { kind: "status", change: "turnStarted" },
      notification("turn/started", { turn: turnOf({}) }),
    ]);
  });

  it("ends with the last message of the agent only", () => {
    const message = {
      type: "agentMessage",
      id: "msg_1",
      text: "hello",
      phase: null,
      memoryCitation: null,
      delivery: null,
    };
    expect(project(...events).at(-1)).toEqual(
      notification("turn/completed", {
        turn: turnOf({
          status: "completed",
          items: [message],
          itemsView: "summary",
          completedAt: 101,
          durationMs: 950,
        }),
      }),
    );
  });

  it("spells every member of token usage and rate limits", () => {
    const breakdown = {
      totalTokens: 7,
      inputTokens: 5,
      cachedInputTokens: 1,
      cacheWriteInputTokens: 0,
      outputTokens: 2,
      reasoningOutputTokens: 1,
    };
    expect(project(events[4] as EventMsg)).toEqual([
      notification("thread/tokenUsage/updated", {
        turnId: "turn",
        tokenUsage: { total: breakdown, last: breakdown, modelContextWindow: 100 },
      }),
      {
        kind: "notify",
        method: "account/rateLimits/updated",
        params: {
          rateLimits: {
            limitId: "codex",
            limitName: null,
            primary: null,
            secondary: null,
            credits: null,
            individualLimit: null,
            spendControlReached: null,
            planType: null,
            rateLimitReachedType: null,
          },
        },
      },
    ]);
  });
});

describe("the end of a turn", () => {
  it("is interrupted without items, whatever was said", () => {
    const ended = last(
      started(),
      {
        type: "item_completed",
        thread_id: "thread",
        turn_id: "turn",
        item: agentMessage("partial"),
        completed_at_ms: 6,
      },
      { type: "turn_aborted", turn_id: "turn", reason: "interrupted", completed_at: 102, duration_ms: 5 },
    );
    expect(ended).toEqual([
      { kind: "turnTransition" },
      { kind: "answerInterrupts" },
      { kind: "status", change: "turnEnded" },
      notification("turn/completed", { turn: turnOf({ status: "interrupted", completedAt: 102, durationMs: 5 }) }),
    ]);
  });

  it("is failed after an error, which is told before", () => {
    const error = { message: "boom", codexErrorInfo: "internalServerError", additionalDetails: null };
    const projector = new EventProjector("thread", null, () => 1_000);
    projector.project({ id: "turn", msg: started() });
    const failure = projector.project({
      id: "turn",
      msg: { type: "error", message: "boom", codex_error_info: "internal_server_error" },
    });
    expect(failure).toEqual([
      { kind: "status", change: "systemError" },
      notification("error", { error, willRetry: false, turnId: "turn" }),
    ]);
    expect(projector.project({ id: "turn", msg: completed() }).at(-1)).toEqual(
      notification("turn/completed", { turn: turnOf({ status: "failed", error, completedAt: 101, durationMs: 950 }) }),
    );
  });

  it("goes on after a refused rollback", () => {
    const refused = last(started(), { type: "error", message: "no", codex_error_info: "thread_rollback_failed" });
    expect(names(refused)).toEqual(["error"]);
  });

  it("tells a retry as an error that will be retried", () => {
    expect(
      last(started(), {
        type: "stream_error",
        message: "again",
        codex_error_info: { response_stream_disconnected: { http_status_code: null } },
      }),
    ).toEqual([
      notification("error", {
        error: {
          message: "again",
          codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } },
          additionalDetails: null,
        },
        willRetry: true,
        turnId: "turn",
      }),
    ]);
  });
});

describe("commands", () => {
  it("are shown with joined words, absolute paths and no output while they run", () => {
    expect(
      last(started(), {
        type: "item_started",
        thread_id: "thread",
        turn_id: "turn",
        item: command(),
        started_at_ms: 7,
      }),
    ).toEqual([notification("item/started", { item: commandItem(), turnId: "turn", startedAtMs: 7 })]);
  });

  it("keep the turn that started them when they end in a later one", () => {
    const projector = new EventProjector("thread", null, () => 1_000);
    const tell = (id: string, msg: EventMsg) => projector.project({ id, msg });
    tell("turn", started());
    tell("turn", { type: "item_started", thread_id: "thread", turn_id: "turn", item: command(), started_at_ms: 7 });
    tell("turn", completed());
    tell("later", started("later"));
    const chunk = Buffer.from("é\n").toString("base64");
    expect(tell("later", { type: "exec_command_output_delta", call_id: "call_1", stream: "stdout", chunk })).toEqual([
      notification("item/commandExecution/outputDelta", { turnId: "turn", itemId: "call_1", delta: "é\n" }),
    ]);
    const done = command({
      status: "failed",
      exit_code: 3,
      aggregated_output: "",
      duration: { secs: 1, nanos: 2_900_000 },
    });
    expect(
      tell("later", { type: "item_completed", thread_id: "thread", turn_id: "turn", item: done, completed_at_ms: 9 }),
    ).toEqual([
      notification("item/completed", {
        item: commandItem({ status: "failed", exitCode: 3, durationMs: 1002 }),
        turnId: "turn",
        completedAtMs: 9,
      }),
    ]);
  });

  const approval: EventMsg = {
    type: "exec_approval_request",
    call_id: "call_1",
    turn_id: "turn",
    started_at_ms: 3,
    command: ["rm", "x"],
    cwd: "/proj",
    parsed_cmd: [{ type: "unknown", cmd: "rm x" }],
    proposed_execpolicy_amendment: ["rm", "x"],
    available_decisions: [
      "approved",
      { approved_execpolicy_amendment: { proposed_execpolicy_amendment: ["rm", "x"] } },
      "abort",
    ],
  };

  it("that need approval are shown, then asked about, and not shown again when they start", () => {
    const projector = new EventProjector("thread", null, () => 1_000);
    projector.project({ id: "turn", msg: started() });
    const asked = projector.project({ id: "turn", msg: approval });
    expect(names(asked)).toEqual(["status", "item/started", "ask"]);
    expect(asked[2]).toMatchObject({
      method: "item/commandExecution/requestApproval",
      params: {
        kind: "command",
        threadId: "thread",
        turnId: "turn",
        itemId: "call_1",
        startedAtMs: 3,
        environmentId: "local",
        command: "rm x",
        cwd: "/proj",
        proposedExecpolicyAmendment: ["rm", "x"],
        availableDecisions: [
          "accept",
          { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["rm", "x"] } },
          "cancel",
        ],
      },
    });
    expect(Object.keys((asked[2] as { params: object }).params)).not.toContain("reason");
    expect(
      projector.project({
        id: "turn",
        msg: { type: "item_started", thread_id: "thread", turn_id: "turn", item: command(), started_at_ms: 7 },
      }),
    ).toEqual([]);
  });

  it("end once when they were refused", () => {
    const projector = new EventProjector("thread", null, () => 1_000);
    projector.project({ id: "turn", msg: started() });
    const asked = projector.project({ id: "turn", msg: approval })[2];
    if (asked?.kind !== "ask" || asked.answer.to !== "command" || !asked.answer.item) throw new Error("no question");
    expect(names(projector.commandRefused("turn", asked.answer.item, "declined"))).toEqual(["item/completed"]);
    expect(projector.commandRefused("turn", asked.answer.item, "declined")).toEqual([]);
  });

  it("that ask for the network are neither announced nor ended by the question", () => {
    const projector = new EventProjector("thread", null, () => 1_000);
    projector.project({ id: "turn", msg: started() });
    const context = { host: "example.com", protocol: "https" } as const;
    const asked = projector.project({ id: "turn", msg: { ...approval, network_approval_context: context } });
    expect(names(asked)).toEqual(["status", "ask"]);
    expect(asked[1]).toMatchObject({ params: { networkApprovalContext: context }, answer: { item: null } });
  });
});

it("questions raise the flag, then go out with every member", () => {
  const option = { label: "Red", description: "warm" };
  expect(
    last(started(), {
      type: "request_user_input",
      call_id: "call_q",
      turn_id: "turn",
      isBlocking: false,
      questions: [
        { id: "color", header: "Color", question: "Which?", isOther: true, isSecret: false, options: [option] },
      ],
    }),
  ).toEqual([
    { kind: "status", change: "userInputRaised" },
    {
      kind: "ask",
      method: "item/tool/requestUserInput",
      params: {
        threadId: "thread",
        turnId: "turn",
        itemId: "call_q",
        questions: [
          { id: "color", header: "Color", question: "Which?", isOther: true, isSecret: false, options: [option] },
        ],
        isBlocking: false,
        autoResolutionMs: null,
      },
      answer: { to: "userInput", turnId: "turn" },
    },
  ]);
});

it("plans and diffs are told with their turn", () => {
  expect(
    project(
      { type: "plan_update", explanation: null, plan: [{ step: "a", status: "in_progress" }] },
      { type: "turn_diff", unified_diff: "diff" },
    ),
  ).toEqual([
    notification("turn/plan/updated", {
      turnId: "turn",
      explanation: null,
      plan: [{ step: "a", status: "inProgress" }],
    }),
    notification("turn/diff/updated", { turnId: "turn", diff: "diff" }),
  ]);
});

it("settings are told when they change, not when they are applied again", () => {
  const settings = (model: string): ThreadSettings => ({
    model,
    model_provider_id: "p",
    cwd: "/proj",
    approval_policy: "never",
    sandbox_policy: { type: "danger-full-access" },
    collaboration_mode: { mode: "default", settings: { model } },
  });
  const projector = new EventProjector("thread", settings("a"), () => 1_000);
  const apply = (model: string) =>
    names(
      projector.project({ id: "turn", msg: { type: "thread_settings_applied", thread_settings: settings(model) } }),
    );
  expect([apply("a"), apply("b"), apply("b"), apply("a")]).toEqual([
    [],
    ["thread/settings/updated"],
    [],
    ["thread/settings/updated"],
  ]);
});
