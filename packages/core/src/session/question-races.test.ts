/** A question raced by answers, an interruption, the turn's end and a second question of the same turn. */
import { RespondToModel, type Tool, type ToolTurn } from "@turnkit/tools";
import { expect, test } from "vitest";
import { idOf, request, start, types } from "../../test/session-rig.js";
import { items, say, toolCall } from "../testing/index.js";
import type { CoreSession } from "./session.js";
import { SessionPrompter } from "./user-prompter.js";

const soak = process.env.TURNKIT_SOAK === "1";
const ROUNDS = soak ? 20_000 : 200;
/** A session remembers its turns: after so many it is slower than what is tested here. */
const ROUNDS_PER_SESSION = 100;
/** Turns of the event loop; a turn needs about twenty. */
const PATIENCE = 100_000;

/** The same numbers for the same seed, so that a failure can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

const newCounts = () => ({ answered: 0, interrupted: 0, completed: 0, overwritten: 0, late: 0 });

test(
  `${ROUNDS} interleavings of answer, interruption, turn end and overwriting: one consumer each`,
  async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const ends = newCounts();
    for (let done = 0; done < ROUNDS; done += ROUNDS_PER_SESSION) await race(seed, random, ends);
    // Every kind of race did happen.
    for (const [kind, count] of Object.entries(ends))
      expect({ seed, kind, often: count > ROUNDS / 50 }).toEqual({ seed, kind, often: true });
    if (soak) process.stdout.write(`${ROUNDS} interleavings: ${JSON.stringify(ends)}\n`);
  },
  soak ? 1_800_000 : 60_000,
);

async function race(seed: number, random: () => number, ends: ReturnType<typeof newCounts>): Promise<void> {
  const pause = async () => {
    if (random() < 0.4) for (let left = Math.floor(random() * 8); left > 0; left--) await Promise.resolve();
    else for (let left = Math.floor(random() * 4); left > 0; left--) await tick();
  };
  let prompter: SessionPrompter | undefined;
  let asks = 0;
  let registered = 0;
  /** What each question got: the answer's name, "none", or nothing yet. */
  const got = new Map<number, string[]>();
  let turn: ToolTurn | undefined;
  const ask = async (): Promise<string> => {
    const number = asks++;
    got.set(number, []);
    if (core.lifecycle.active?.id === turn?.id) registered += 1;
    const response = await prompter!.ask(turn!, { callId: `ask-${number}`, questions: [], isBlocking: true });
    const name = response ? (Object.keys(response.answers)[0] as string) : "none";
    got.get(number)?.push(name);
    return name;
  };
  const tool: Tool = {
    spec: { type: "function", name: "ask", description: "", strict: false, parameters: {} },
    exposure: "direct",
    supportsParallelCalls: true,
    isControl: true,
    accepts: () => true,
    preToolUse: () => undefined,
    withUpdatedInput: (call) => call,
    async run(_, context) {
      turn = context.turn;
      const name = await ask();
      if (name === "none") throw new RespondToModel("cancelled");
      return { body: name, success: true, postToolUse: undefined };
    },
  };
  const controls: string[] = [];
  const { session, model, events, warnings } = await start([], {
    tools: [tool],
    observer: { started() {}, finished() {}, controlFinished: (_, outcome) => controls.push(outcome) },
  });
  const core = session as CoreSession;
  // biome-ignore lint/complexity/useLiteralKeys: the session's parts are its own; this test puts a second asker beside its tool
  prompter = new SessionPrompter({ runtime: () => core["runtime"], activeTurn: () => core.lifecycle.active });
  for (let round = 0; round < ROUNDS_PER_SESSION; round++) {
    events.length = 0;
    warnings.length = 0;
    controls.length = 0;
    got.clear();
    registered = 0;
    const before = session.snapshot().questions;
    model.replies.push(items(toolCall("ask", {}, `call-${round}`)), say("ok"));
    const id = idOf(await session.submit(request(`go ${round}`), "StartOrSteer"));
    const state = () => JSON.stringify({ seed, round, sent, got: [...got], events: types(events), warnings });
    const sent: string[] = [];
    /** Waits without sleeping; what never comes is an error that says where things stand. */
    const until = async (condition: () => boolean, meanwhile: () => void = () => {}) => {
      for (let ticks = 0; !condition(); ticks++) {
        if (ticks > PATIENCE) throw new Error(state());
        meanwhile();
        await tick();
      }
    };
    await until(() => types(events).includes("request_user_input"));
    const answer = () => {
      const name = `answer-${round}-${sent.length}`;
      sent.push(name);
      session.answer(id, { answers: { [name]: { answers: ["Yes"] } } });
    };
    const later: Promise<unknown>[] = [];
    const acts = [answer, answer, () => void later.push(ask()), () => void later.push(session.interrupt())];
    await Promise.all(
      Array.from({ length: 1 + Math.floor(random() * 4) }, async () => {
        await pause();
        acts[Math.floor(random() * acts.length)]?.();
      }),
    );
    // Whoever still waits is answered, so that the turn ends; what is left after that ends with the turn.
    await until(
      () => session.snapshot().activeTurnId === null,
      () => {
        if ([...got.values()].some((each) => each.length === 0)) answer();
      },
    );
    await Promise.all(later);
    await tick();

    const results = [...got.values()];
    const context = { seed, round };
    // Every question ends once.
    expect({ ...context, ends: results.map((each) => each.length) }).toEqual({
      ...context,
      ends: results.map(() => 1),
    });
    // Every answer that was taken has one consumer; the others warn.
    const consumed = results.flat().filter((name) => name !== "none");
    const unheard = warnings.filter((warning) => warning.startsWith("No pending user input found")).length;
    const after = session.snapshot().questions;
    const grown = (cause: "submitted" | "holderCleared") => (after[cause] ?? 0) - (before[cause] ?? 0);
    expect({ ...context, consumed: new Set(consumed).size, unheard }).toEqual({
      ...context,
      consumed: consumed.length,
      unheard: sent.length - consumed.length,
    });
    expect({ ...context, submitted: grown("submitted"), cleared: grown("holderCleared") }).toEqual({
      ...context,
      submitted: consumed.length,
      cleared: registered - consumed.length,
    });
    // The turn ends once, the call has one outcome, and nobody is waited for.
    const turnEnds = types(events).filter((type) => type === "task_complete" || type === "turn_aborted");
    expect({ ...context, turnEnds: turnEnds.length, controls: controls.length }).toEqual({
      ...context,
      turnEnds: 1,
      controls: 1,
    });
    // biome-ignore lint/complexity/useLiteralKeys: as above
    expect(core["runtime"].parts.elicitations.paused).toBe(false);
    if (turnEnds[0] === "turn_aborted") ends.interrupted += 1;
    else ends.completed += 1;
    ends.answered += consumed.length;
    ends.overwritten += warnings.filter((warning) => warning.startsWith("Overwriting")).length;
    ends.late += unheard;
    model.replies.length = 0;
  }
  await session.shutdown();
}
