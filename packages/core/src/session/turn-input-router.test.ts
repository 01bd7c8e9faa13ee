/** Every reason, and the order in which they are looked for. */
import { describe, expect, test } from "vitest";
import {
  type ActiveTurnFacts,
  type InputFacts,
  jsonEqual,
  routeStartIfIdle,
  routeStartOrSteer,
  routeSteer,
  type SessionFacts,
} from "./turn-input-router.js";

const active = (changes: Partial<ActiveTurnFacts> = {}): ActiveTurnFacts => ({
  id: "t1",
  kind: "regular",
  hasTask: true,
  outputSchema: undefined,
  ...changes,
});
const session = (changes: Partial<SessionFacts> = {}): SessionFacts => ({
  activeTurn: undefined,
  pendingTriggerTurn: false,
  mode: "default",
  ...changes,
});
const input = (changes: Partial<InputFacts> = {}): InputFacts => ({
  isUserInput: true,
  isEmpty: false,
  outputSchema: undefined,
  modeAfterSettings: "default",
  isRecovery: false,
  ...changes,
});
const refused = (reason: unknown) => ({ type: "refuse", reason });

describe("steering", () => {
  const everythingWrong = input({ isEmpty: true, outputSchema: {} });
  test.each([
    ["no turn", session(), everythingWrong, "other", "NoActiveTurn"],
    [
      "only a reserved place",
      session({ activeTurn: active({ hasTask: false }) }),
      everythingWrong,
      "other",
      "NoActiveTurn",
    ],
    [
      "another id",
      session({ activeTurn: active({ kind: "review" }) }),
      everythingWrong,
      "other",
      { ExpectedTurnMismatch: { expected: "other", actual: "t1" } },
    ],
    [
      "a review",
      session({ activeTurn: active({ kind: "review" }) }),
      everythingWrong,
      "t1",
      { ActiveTurnNotSteerable: { turn_kind: "review" } },
    ],
    [
      "a compaction",
      session({ activeTurn: active({ kind: "compact" }) }),
      everythingWrong,
      "t1",
      { ActiveTurnNotSteerable: { turn_kind: "compact" } },
    ],
    ["empty input", session({ activeTurn: active() }), everythingWrong, "t1", "EmptyInput"],
    [
      "another schema",
      session({ activeTurn: active() }),
      input({ outputSchema: {} }),
      "t1",
      "ActiveTurnOutputSchemaMismatch",
    ],
  ])("%s", (_, facts, given, expected, reason) => {
    expect(routeSteer(facts, given, expected)).toEqual(refused(reason));
  });

  test("is accepted otherwise, with or without an expected id, whatever the schema when none is given", () => {
    const facts = session({ activeTurn: active({ outputSchema: { a: 1, b: [2] } }) });
    expect(routeSteer(facts, input(), "t1")).toEqual({ type: "steer", turnId: "t1" });
    expect(routeSteer(facts, input(), undefined)).toEqual({ type: "steer", turnId: "t1" });
    expect(routeSteer(facts, input({ outputSchema: { b: [2], a: 1 } }), "t1")).toEqual({ type: "steer", turnId: "t1" });
  });
});

describe("start or steer", () => {
  test("starts only where there is no turn, also with empty input", () => {
    expect(routeStartOrSteer(session(), input())).toEqual({ type: "start" });
    expect(routeStartOrSteer(session(), input({ isEmpty: true }))).toEqual({ type: "start" });
  });

  test("joins a running turn, and passes every other reason on", () => {
    expect(routeStartOrSteer(session({ activeTurn: active() }), input())).toEqual({ type: "steer", turnId: "t1" });
    expect(routeStartOrSteer(session({ activeTurn: active() }), input({ isEmpty: true }))).toEqual(
      refused("EmptyInput"),
    );
    expect(routeStartOrSteer(session({ activeTurn: active({ kind: "review" }) }), input())).toEqual(
      refused({ ActiveTurnNotSteerable: { turn_kind: "review" } }),
    );
  });
});

describe("start if idle", () => {
  const automatic = input({ isUserInput: false });
  const everything = session({ pendingTriggerTurn: true, mode: "plan", activeTurn: active() });
  test.each([
    ["a waiting trigger", everything, automatic, "PendingTriggerTurn"],
    ["automatic work in Plan mode", { ...everything, pendingTriggerTurn: false }, automatic, "PlanMode"],
    ["empty user input counts as automatic", session({ mode: "plan" }), input({ isEmpty: true }), "PlanMode"],
    ["a running turn", session({ activeTurn: active() }), automatic, "NotIdle"],
    ["even a reserved place", session({ activeTurn: active({ hasTask: false }) }), input(), "NotIdle"],
    [
      "automatic work that would enter Plan mode",
      session(),
      input({ isUserInput: false, modeAfterSettings: "plan" }),
      "PlanMode",
    ],
  ])("%s", (_, facts, given, reason) => {
    expect(routeStartIfIdle(facts, given)).toEqual(refused(reason));
  });

  test("a person may start in Plan mode, and so may a recovery", () => {
    const plan = session({ mode: "plan" });
    expect(routeStartIfIdle(plan, input({ modeAfterSettings: "plan" }))).toEqual({ type: "start" });
    const recovery = input({ isEmpty: true, isRecovery: true, modeAfterSettings: "plan" });
    expect(routeStartIfIdle(plan, recovery)).toEqual({ type: "start" });
    expect(routeStartIfIdle(session(), automatic)).toEqual({ type: "start" });
  });
});

test.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[], {}, false],
  [null, {}, false],
  ["1", 1, false],
  [[1], [1, 2], false],
  [[1, 2], [1, 3], false],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
])("JSON %j against %j", (a, b, equal) => {
  expect(jsonEqual(a, b)).toBe(equal);
  expect(jsonEqual(b, a)).toBe(equal);
});
