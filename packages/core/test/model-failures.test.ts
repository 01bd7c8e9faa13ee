/** Streams that break, stop or say no, over real HTTP: the turn is tried again as configured and ends exactly once. */
import { functionCall, message, type ScriptedResponse } from "@turnkit/core/scripted-model";
import type { EventMsg } from "@turnkit/protocol";
import { describe, expect, test } from "vitest";
import { type Rig, type RigOptions, startRig } from "./helpers.js";

const retries = (events: readonly EventMsg[]) =>
  events.flatMap((event) => (event.type === "stream_error" ? [event.message] : []));
const ends = (events: readonly EventMsg[]) =>
  events.filter((event) => event.type === "task_complete" || event.type === "turn_aborted");
const errors = (events: readonly EventMsg[]) =>
  events.flatMap((event) => (event.type === "error" ? [event.message] : []));

async function turn(responses: readonly ScriptedResponse[], options: RigOptions, check: (rig: Rig) => void) {
  await using rig = await startRig({ responses, ...options });
  await rig.turn("go");
  expect(ends(rig.events)).toHaveLength(1);
  check(rig);
}

describe.each<[string, ScriptedResponse]>([
  ["is cut", { items: [message("half")], cut: true }],
  ["ends without its last event", { noCompleted: true }],
  ["cannot be had at the moment", { status: 503, errorBody: { error: { message: "busy" } } }],
])("a stream that %s", (_, broken) => {
  test("is asked for again, as often as configured", async () => {
    const responses = [broken, broken, { items: [message("done")] }];
    await turn(responses, { provider: { streamMaxRetries: 2, requestMaxRetries: 0 } }, ({ events, model }) => {
      expect(retries(events)).toEqual(["Reconnecting... 1/2", "Reconnecting... 2/2"]);
      expect(errors(events)).toEqual([]);
      expect(ends(events)[0]).toMatchObject({ type: "task_complete", last_agent_message: "done" });
      expect(model.calls).toHaveLength(3);
    });
  });

  test("too often is one error and one completion, and the next turn works", async () => {
    await using rig = await startRig({
      responses: [broken, broken, { items: [message("fine")] }],
      provider: { streamMaxRetries: 1, requestMaxRetries: 0 },
    });
    await rig.turn("go");
    expect([retries(rig.events).length, errors(rig.events).length, ends(rig.events).length]).toEqual([1, 1, 1]);
    expect(ends(rig.events)[0]).toMatchObject({ error: { message: errors(rig.events)[0] } });
    await rig.turn("again");
    expect(ends(rig.events)[1]).toMatchObject({ type: "task_complete", last_agent_message: "fine" });
    expect(ends(rig.events)[1]).not.toHaveProperty("error");
  });
});

test("what cannot be helped is not tried again", async () => {
  const refused = { status: 400, errorBody: { error: { message: "bad request" } } };
  await turn([refused], { provider: { streamMaxRetries: 3 } }, ({ events, model }) => {
    expect([retries(events).length, errors(events).length, model.calls.length]).toEqual([0, 1, 1]);
  });
});

test("a tool call of a broken stream runs once; the next request has its output", async () => {
  const call = functionCall("update_plan", { plan: [{ step: "s", status: "pending" }] }, "call_plan");
  await turn(
    [{ items: [call], cut: true }, { items: [message("done")] }],
    { provider: { streamMaxRetries: 1 } },
    ({ events, outputOf }) => {
      expect(events.filter((event) => event.type === "plan_update")).toHaveLength(1);
      expect(outputOf("call_plan")).toBe("Plan updated");
    },
  );
});

describe("a server that falls silent", () => {
  const provider = { streamIdleTimeoutMs: 300, streamMaxRetries: 0 };

  test("in the middle of a stream is given up", async () => {
    await turn([{ holdAfterCreated: true }], { provider }, ({ events }) => {
      expect(errors(events)).toEqual([expect.stringContaining("idle timeout waiting for SSE")]);
    });
  });

  test("before its answer is given up", async () => {
    await turn([{ hold: true }], { provider }, ({ events }) => {
      expect(errors(events)).toEqual([expect.stringContaining("idle timeout waiting for the model server")]);
    });
  });

  test("is not what a person is who thinks for longer", async () => {
    const option = { label: "Yes", description: "d" };
    const questions = [{ id: "q", header: "H", question: "Q?", options: [option] }];
    await using rig = await startRig({
      responses: [{ items: [functionCall("request_user_input", { questions }, "ask")] }, { items: [message("done")] }],
      provider,
      session: { features: { defaultModeQuestions: true } },
    });
    const id = await rig.say("go");
    await rig.seen("request_user_input");
    await new Promise((resolve) => setTimeout(resolve, 3 * provider.streamIdleTimeoutMs));
    rig.session.answer(id, { answers: { q: { answers: ["Yes"] } } });
    await rig.seen("task_complete");
    expect([errors(rig.events), retries(rig.events)]).toEqual([[], []]);
    expect(rig.outputOf("ask")).toBe('{"answers":{"q":{"answers":["Yes"]}}}');
  });
});
