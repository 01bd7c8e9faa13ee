import { describe, expect, test } from "vitest";
import { collectRollout } from "../read-rollout.js";
import { projectThread } from "./project-thread.js";

async function project(events: object[], options?: { running: boolean }) {
  const time = "2026-01-01T00:00:00.000Z";
  const head = { id: "t", timestamp: time, cwd: "/", originator: "o", cli_version: "0.150.0" };
  const lines = [
    { timestamp: time, type: "session_meta", payload: head },
    ...events.map((payload) => ({ timestamp: time, type: "event_msg", payload })),
  ];
  async function* bytes() {
    yield new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  return projectThread(await collectRollout(bytes()), options);
}

const started = (turn_id: string) => ({ type: "task_started", turn_id, model_context_window: null });
const complete = (turn_id: string) => ({ type: "task_complete", turn_id, last_agent_message: null });
const user = (message: string) => ({ type: "user_message", message, images: [] });
const shown = (thread: Awaited<ReturnType<typeof project>>) =>
  thread.turns.map(({ id, status, items }) => [id, status, items.map((item) => item.type).join(" ")]);

describe("turns", () => {
  test("steered input stays in its turn", async () => {
    const thread = await project([started("a"), user("one"), user("two"), complete("a")]);
    expect(shown(thread)).toEqual([["a", "completed", "userMessage userMessage"]]);
  });

  test("without starts each message begins a turn, named after its line", async () => {
    const thread = await project([user("one"), { type: "agent_message", message: "x" }, user("two")]);
    expect(shown(thread)).toEqual([
      ["rollout-1", "completed", "userMessage agentMessage"],
      ["rollout-3", "completed", "userMessage"],
    ]);
  });

  test("an item that ends late goes to the turn it names", async () => {
    const command = {
      type: "item_completed",
      thread_id: "t",
      turn_id: "a",
      item: { type: "CommandExecution", id: "call", command: ["ls"], cwd: "/", parsed_cmd: [], status: "completed" },
    };
    const thread = await project([started("a"), user("one"), complete("a"), started("b"), command, complete("b")]);
    expect(shown(thread)).toEqual([
      ["a", "completed", "userMessage commandExecution"],
      ["b", "completed", ""],
    ]);
  });

  test("rolled back turns are gone", async () => {
    const thread = await project([
      started("a"),
      complete("a"),
      started("b"),
      complete("b"),
      { type: "thread_rolled_back", num_turns: 1 },
    ]);
    expect(shown(thread)).toEqual([["a", "completed", ""]]);
    expect(shown(await project([{ type: "thread_rolled_back", num_turns: 5 }]))).toEqual([]);
  });

  test("a turn without an end was interrupted, unless the thread is running", async () => {
    const events = [started("a"), user("one")];
    expect(shown(await project(events))).toEqual([["a", "interrupted", "userMessage"]]);
    const running = await project(events, { running: true });
    expect(shown(running)).toEqual([["a", "inProgress", "userMessage"]]);
    expect(running.status).toEqual({ type: "active", activeFlags: [] });
    expect((await project([started("a"), complete("a")], { running: true })).status).toEqual({ type: "idle" });
    expect((await project(events)).status).toEqual({ type: "notLoaded" });
  });

  test("an error fails its turn, a refused steer does not", async () => {
    const failing = { type: "error", message: "no", codex_error_info: "usage_limit_exceeded" };
    const thread = await project([started("a"), failing, complete("a")]);
    expect(thread.turns[0]).toMatchObject({
      status: "failed",
      error: { message: "no", codexErrorInfo: "usageLimitExceeded", additionalDetails: null },
    });
    const steer = {
      type: "error",
      message: "no",
      codex_error_info: { active_turn_not_steerable: { turn_kind: "review" } },
    };
    expect((await project([started("a"), steer, complete("a")])).turns[0]?.status).toBe("completed");
  });

  test("the newest name and usage count, and the first words are the preview", async () => {
    const usage = {
      input_tokens: 1,
      cached_input_tokens: 0,
      output_tokens: 1,
      reasoning_output_tokens: 0,
      total_tokens: 2,
    };
    const info = { total_token_usage: usage, last_token_usage: usage, model_context_window: 10 };
    const thread = await project([
      user("## My request for Codex:\nfirst words"),
      { type: "token_count", info, rate_limits: null },
      { type: "token_count", info: null, rate_limits: null },
      { type: "thread_name_updated", thread_id: "t", thread_name: "old" },
      { type: "thread_name_updated", thread_id: "t", thread_name: "new" },
    ]);
    expect({ name: thread.name, preview: thread.preview, usage: thread.tokenUsage }).toEqual({
      name: "new",
      preview: "first words",
      usage: info,
    });
  });
});
