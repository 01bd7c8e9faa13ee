/** What people do at once: send, steer, interrupt, answer, in every order. Nothing is lost and nothing happens twice. */
import type { EventMsg } from "@turnkit/protocol";
import { describe, expect, test } from "vitest";
import { createSession, type Session } from "../index.js";
import { FakeModel, type FakeReply, items, say, toolCall } from "../testing/index.js";
import { PendingAnswers } from "./pending-answers.js";

const soak = process.env.TURNKIT_SOAK === "1";

/** The same numbers for the same seed, so that a failure can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function pause(random: () => number): Promise<void> {
  const kind = random();
  if (kind < 0.3) await Promise.resolve();
  else if (kind < 0.8) for (let left = Math.floor(random() * 6); left >= 0; left--) await tick();
  else await new Promise((resolve) => setTimeout(resolve, random() * 3));
}

function slow(reply: FakeReply, random: () => number): FakeReply {
  return async function* (request, signal) {
    await pause(random);
    for await (const event of reply(request, signal)) {
      if (signal.aborted) throw new Error("aborted");
      yield event;
      await pause(random);
    }
  };
}

async function open(model: FakeModel, warnings: string[] = []): Promise<{ session: Session; events: EventMsg[] }> {
  const session = await createSession({
    modelClient: model,
    logger: { warn: (message) => warnings.push(message), info() {} },
    features: { defaultModeQuestions: true },
    settings: {
      model: "m",
      model_provider_id: "p",
      cwd: "/",
      approval_policy: "never",
      sandbox_policy: { type: "danger-full-access" },
      collaboration_mode: { mode: "default", settings: { model: "m" } },
    },
  });
  const events: EventMsg[] = [];
  session.subscribe(({ msg }) => events.push(msg));
  return { session, events };
}

function turnsEndOnce(events: readonly EventMsg[]): void {
  const started = events.flatMap((event) => (event.type === "task_started" ? [event.turn_id] : []));
  const ended = events.flatMap((event) =>
    event.type === "task_complete" || event.type === "turn_aborted" ? [event.turn_id] : [],
  );
  expect(new Set(started).size).toBe(started.length);
  expect([...ended].sort()).toEqual([...started].sort());
}

test(`${soak ? 10_000 : 500} sends arrive exactly once`, async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const model = new FakeModel();
  let calls = 0;
  model.fallback = (request, signal) => {
    calls += 1;
    const reply =
      random() < 0.3 ? items(toolCall("update_plan", { plan: [] }, `plan-${calls}`)) : say(`answer ${calls}`);
    return slow(reply, random)(request, signal);
  };
  const { session, events } = await open(model);
  const accepted = new Set<string>();
  const total = soak ? 10_000 : 500;
  let next = 0;
  const sender = async () => {
    while (next < total) {
      const text = `message ${next++}`;
      const input = { UserInput: { content: [{ type: "text" as const, text, text_elements: [] }], client_id: text } };
      const active = session.snapshot().activeTurnId;
      const mode =
        random() < 0.4 && active !== null
          ? { Steer: { expected_turn_id: active } }
          : random() < 0.2
            ? ("StartIfIdle" as const)
            : ("StartOrSteer" as const);
      const submission = await session.submit({ input }, mode);
      if (!("NotSubmitted" in submission)) accepted.add(text);
      await pause(random);
    }
  };
  const interrupter = async () => {
    while (next < total) {
      for (let left = 0; left < 8; left++) await pause(random);
      if (random() < 0.5) await session.interrupt();
    }
  };
  await Promise.all([sender(), sender(), sender(), interrupter()]);
  while (session.snapshot().activeTurnId !== null) await tick();
  const arrived = events.flatMap((event) => (event.type === "user_message" ? [event.message] : []));
  expect({ seed, twice: arrived.filter((text, at) => arrived.indexOf(text) !== at) }).toEqual({ seed, twice: [] });
  expect({ seed, lost: [...accepted].filter((text) => !arrived.includes(text)) }).toEqual({ seed, lost: [] });
  expect(arrived.filter((text) => !accepted.has(text))).toEqual([]);
  turnsEndOnce(events);
  // The history says the same as the events did.
  await session.submit(
    { input: { UserInput: { content: [{ type: "text", text: "last" }], client_id: null } } },
    "StartOrSteer",
  );
  await tick();
  while (session.snapshot().activeTurnId !== null) await tick();
  const kept = (model.requests.at(-1)?.input ?? []).flatMap((item) =>
    item.type === "message" && item.role === "user"
      ? item.content.flatMap((part) => ("text" in part && part.text.startsWith("message ") ? [part.text] : []))
      : [],
  );
  expect(kept).toEqual(arrived.filter((text) => text !== "last"));
  await session.shutdown();
});

describe("whoever removes a holder first owns the outcome", () => {
  test(`${soak ? 20_000 : 1_000} interleavings of answer, clearing and overwriting`, async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    for (let round = 0; round < (soak ? 20_000 : 1_000); round++) {
      const warnings: string[] = [];
      const answers = new PendingAnswers({ warn: (message) => warnings.push(message), info() {} });
      const ended: (string | undefined)[] = [];
      let holders = 0;
      let delivered = 0;
      let refused = 0;
      const register = () => {
        holders += 1;
        void answers.register("t").then((response) => ended.push(response && Object.keys(response.answers)[0]));
      };
      register();
      const acts = Array.from({ length: 6 }, () => random());
      await Promise.all(
        acts.map(async (act) => {
          await pause(() => random() * 0.8);
          if (act < 0.4) {
            if (answers.answer("t", { answers: { a: { answers: [] } } }, "submitted")) delivered += 1;
            else refused += 1;
          } else if (act < 0.7) answers.clear("t");
          else register();
        }),
      );
      answers.clear("t");
      await tick();
      expect({ seed, round, ended: ended.length }).toEqual({ seed, round, ended: holders });
      expect(ended.filter((end) => end === "a")).toHaveLength(delivered);
      expect(warnings.filter((warning) => warning.startsWith("No pending"))).toHaveLength(refused);
    }
  });

  test(`${soak ? 5_000 : 200} questions raced by answers and interruptions end once each`, async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const model = new FakeModel();
    const option = { label: "Yes", description: "d" };
    const question = { id: "q", header: "H", question: "Q?", options: [option] };
    const warnings: string[] = [];
    const { session, events } = await open(model, warnings);
    let sent = 0;
    for (let round = 0; round < (soak ? 5_000 : 200); round++) {
      const callId = `ask-${round}`;
      model.replies.push(items(toolCall("request_user_input", { questions: [question] }, callId)), say("ok"));
      const input = { UserInput: { content: [{ type: "text" as const, text: `go ${round}` }], client_id: null } };
      const submission = await session.submit({ input }, "StartOrSteer");
      const id = (Object.values(submission)[0] as { turn_id: string }).turn_id;
      while (!events.some((event) => event.type === "request_user_input" && event.turn_id === id)) await tick();
      const answer = async () => {
        await pause(() => random() * 0.8);
        sent += 1;
        session.answer(id, { answers: { q: { answers: ["Yes"] } } });
      };
      const interrupt = async () => {
        await pause(() => random() * 0.8);
        await session.interrupt();
      };
      await Promise.all(random() < 0.5 ? [answer(), interrupt()] : [answer(), answer(), interrupt()]);
      while (session.snapshot().activeTurnId !== null) await tick();
      model.replies.length = 0;
    }
    turnsEndOnce(events);
    const answered = session.snapshot().answers.filter(({ cause }) => cause === "submitted").length;
    const cleared = session.snapshot().answers.filter(({ cause }) => cause === "holderCleared").length;
    expect(answered + cleared).toBe(100);
    if (!soak) expect(warnings.length).toBeGreaterThanOrEqual(sent - 200);
    // Every call has exactly one output, and it is either the answer or the words of the interruption.
    await session.submit(
      { input: { UserInput: { content: [{ type: "text", text: "last" }], client_id: null } } },
      "StartOrSteer",
    );
    await tick();
    while (session.snapshot().activeTurnId !== null) await tick();
    const outputs = (model.requests.at(-1)?.input ?? []).flatMap((item) =>
      item.type === "function_call_output" ? [[item.call_id, item.output] as const] : [],
    );
    expect(new Set(outputs.map(([id]) => id)).size).toBe(outputs.length);
    for (const [, output] of outputs)
      expect(output).toMatch(/^\{"answers":\{"q":\{"answers":\["Yes"\]\}\}\}$|^aborted by user after \d+\.\ds$/);
    await session.shutdown();
  });
});
