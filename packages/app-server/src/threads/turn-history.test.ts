import type { EventMsg, RolloutLine } from "@turnkit/protocol";
import { describe, expect, it } from "vitest";
import { summarize, turnsOf } from "./turn-history.js";

const line = (payload: EventMsg): RolloutLine => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  type: "event_msg",
  payload,
});
const lines = (...events: EventMsg[]) => events.map(line);
const started = (turn_id: string): EventMsg => ({
  type: "task_started",
  turn_id,
  started_at: 1,
  model_context_window: null,
});
const completed = (turn_id: string): EventMsg => ({
  type: "task_complete",
  turn_id,
  last_agent_message: null,
  completed_at: 2,
  duration_ms: 900,
});
const user = (message: string, rest: object = {}): EventMsg => ({ type: "user_message", message, images: [], ...rest });
const agent = (message: string): EventMsg => ({ type: "agent_message", message });
const turn = (id: string, items: unknown[], rest: object = {}) => ({
  id,
  items,
  itemsView: "full",
  status: "completed",
  error: null,
  startedAt: 1,
  completedAt: 2,
  durationMs: 900,
  ...rest,
});
const userItem = (id: string, text: string) => ({
  type: "userMessage",
  id,
  clientId: null,
  content: [{ type: "text", text, text_elements: [] }],
});
const agentItem = (id: string, text: string) => ({
  type: "agentMessage",
  id,
  text,
  phase: null,
  memoryCitation: null,
  delivery: null,
});

describe("legacy files", () => {
  it("count item ids over the thread and merge neighbouring reasoning", () => {
    const history = lines(
      started("one"),
      user("hi", { client_id: null }),
      { type: "agent_reasoning", text: "first" },
      { type: "agent_reasoning", text: "second" },
      agent("hello"),
      completed("one"),
      started("two"),
      user("again"),
      agent("yes"),
      completed("two"),
    );
    expect(turnsOf(history)).toEqual([
      turn("one", [
        userItem("item-1", "hi"),
        { type: "reasoning", id: "item-2", summary: ["first", "second"], content: [] },
        agentItem("item-3", "hello"),
      ]),
      turn("two", [userItem("item-4", "again"), agentItem("item-5", "yes")]),
    ]);
  });

  it("lose the order of attachments but not the attachments", () => {
    const [first] = turnsOf(
      lines(
        started("one"),
        user("", {
          images: ["data:image/png;base64,AA=="],
          local_images: ["/a.png"],
          local_image_details: ["low"],
          audio: ["data:audio/wav;base64,AA=="],
          local_audio: ["/b.wav"],
          client_id: "cid",
        }),
        completed("one"),
      ),
    );
    expect(first?.items).toEqual([
      {
        type: "userMessage",
        id: "item-1",
        clientId: "cid",
        content: [
          { type: "image", detail: null, url: "data:image/png;base64,AA==" },
          { type: "localImage", detail: "low", path: "/a.png" },
          { type: "audio", url: "data:audio/wav;base64,AA==" },
          { type: "localAudio", path: "/b.wav" },
        ],
      },
    ]);
  });

  it("start a turn at each user message where turns have no events of their own", () => {
    const history = lines(user("one"), agent("a"), user("two"));
    const times = { startedAt: null, completedAt: null, durationMs: null };
    expect(turnsOf(history)).toEqual([
      turn("rollout-0", [userItem("item-1", "one"), agentItem("item-2", "a")], times),
      turn("rollout-2", [userItem("item-3", "two")], times),
    ]);
  });

  it("drop the newest turns that were rolled back", () => {
    const history = lines(started("one"), user("a"), completed("one"), started("two"), user("b"), completed("two"), {
      type: "thread_rolled_back",
      num_turns: 1,
    });
    expect(turnsOf(history).map(({ id }) => id)).toEqual(["one"]);
  });
});

it.each([
  [
    lines(started("t"), { type: "turn_aborted", turn_id: "t", reason: "interrupted" } as EventMsg),
    false,
    "interrupted",
  ],
  [
    lines(started("t"), { ...completed("t"), error: { message: "boom", codex_error_info: "other" } } as EventMsg),
    false,
    "failed",
  ],
  [lines(started("t")), false, "interrupted"],
  [lines(started("t")), true, "inProgress"],
])("%# ends as told", (history, running, status) => {
  expect(turnsOf(history, running).map((each) => each.status)).toEqual([status]);
});

it("paginated files keep whole items, also those that end after their turn", () => {
  const item = (id: string) =>
    ({
      type: "CommandExecution",
      id,
      command: ["ls"],
      cwd: "file:///work",
      parsed_cmd: [],
      status: "completed",
      exit_code: 0,
    }) as const;
  const done = (id: string): EventMsg => ({ type: "item_completed", thread_id: "t", turn_id: "one", item: item(id) });
  const [first] = turnsOf(
    lines(started("one"), done("call_1"), completed("one"), started("two"), done("call_2"), completed("two")),
  );
  expect(first?.items.map(({ id, type }) => [id, type])).toEqual([
    ["call_1", "commandExecution"],
    ["call_2", "commandExecution"],
  ]);
  expect(first?.items[0]).toMatchObject({ cwd: "/work" });
});

it("summaries hold the first message of the person and the last of the agent", () => {
  const [full] = turnsOf(lines(started("t"), user("q"), agent("one"), agent("two"), completed("t")));
  expect(summarize(full as NonNullable<typeof full>)).toEqual(
    turn("t", [userItem("item-1", "q"), agentItem("item-3", "two")], { itemsView: "summary" }),
  );
});
