/** Which prompt has the screen and the keys, and what remains of it: the rules that need no terminal. */
import { describe, expect, it } from "vitest";
import type { ServerNotification, ServerRequest } from "../../client/app-connection.js";
import { defaultKeymap } from "../keymap/keymap.js";
import { KeyDecoder } from "../terminal/key-decoder.js";
import { lineText } from "../terminal/style.js";
import { type AppState, initialState, promptDrawn, promptHasKeys, promptRequestId, shownPrompt } from "./app-state.js";
import type { Effect, Step } from "./effects.js";
import { handleInput } from "./update-input.js";
import { handleNotification, handleRequest, handleTime } from "./update-server.js";

const START = initialState(
  defaultKeymap,
  {
    threadId: "thread",
    model: "m",
    provider: "p",
    cwd: "/proj",
    approvalPolicy: "never",
    sandbox: "dangerFullAccess",
    mode: "default",
    rolloutPath: null,
    version: "0",
  },
  true,
);

const QUESTION = {
  id: "q",
  header: "H",
  question: "Which?",
  isOther: true,
  isSecret: false,
  options: [
    { label: "Red", description: "" },
    { label: "Blue", description: "" },
  ],
};

/** The interface in miniature: state, effects so far, and a clock. */
class Screen {
  state: AppState = START;
  effects: Effect[] = [];
  now = 0;

  #take({ state, effects }: Step): this {
    this.state = state;
    this.effects.push(...effects.filter((effect) => effect.type !== "attention"));
    return this;
  }
  ask(id: number, isBlocking = true, questions: readonly object[] = [QUESTION]): this {
    const params = { threadId: "thread", turnId: "turn", itemId: `item-${id}`, questions, isBlocking };
    return this.#request({ id, method: "item/tool/requestUserInput", params: { ...params, autoResolutionMs: 1 } });
  }
  approve(id: number): this {
    const params = {
      threadId: "thread",
      turnId: "turn",
      itemId: `item-${id}`,
      startedAtMs: 0,
      command: "ls",
      cwd: "/",
    };
    return this.#request({ id, method: "item/commandExecution/requestApproval", params });
  }
  #request(request: unknown): this {
    const next = handleRequest(this.state, request as ServerRequest, this.now);
    if (!next) throw new Error("not asked");
    return this.#take(next);
  }
  say(method: string, params: Record<string, unknown>): this {
    const notification = { method, params: { threadId: "thread", turnId: "turn", ...params } };
    return this.#take(handleNotification(this.state, notification as unknown as ServerNotification, this.now));
  }
  draw(): this {
    this.state = promptDrawn(this.state, this.now);
    return this;
  }
  type(bytes: string): this {
    for (const input of new KeyDecoder().push(bytes)) this.#take(handleInput(this.state, input, this.now, 80));
    return this;
  }
  at(seconds: number): this {
    this.now = seconds * 1000;
    return this.#take(handleTime(this.state, this.now));
  }
  get waiting(): (string | number)[] {
    return this.state.prompts.map(promptRequestId);
  }
  /** What was said of forms and decisions, one text per cell. */
  get history(): string[] {
    const { live, done } = this.state.transcript;
    const cells = [...done, ...live.map((entry) => entry.cell)];
    return cells.flatMap((cell) => (cell.kind === "lines" ? [cell.lines.map(lineText).join("\n")] : []));
  }
}

describe("prompts that wait for the screen", () => {
  it("come first in, first out, questions and approvals in one queue", () => {
    const screen = new Screen().ask(1).approve(2).ask(3).draw();
    expect(screen.waiting).toEqual([1, 2, 3]);
    screen.type("1");
    expect([screen.waiting, screen.state.prompts[0]?.kind]).toEqual([[2, 3], "approval"]);
    screen.draw().type("y");
    expect(screen.waiting).toEqual([3]);
    screen.draw().type("2");
    expect(screen.effects.map((effect) => effect.type === "respond" && effect.requestId)).toEqual([1, 2, 3]);
  });

  it("wait until a message that is being written is complete; keys go to the draft meanwhile", () => {
    const screen = new Screen()
      .say("item/started", { item: { type: "agentMessage", id: "m", text: "" } })
      .ask(1)
      .draw();
    expect([shownPrompt(screen.state), promptHasKeys(screen.state, 0)]).toEqual([null, false]);
    screen.type("1");
    expect([screen.state.composer.field.text, screen.effects]).toEqual(["1", []]);
    screen.say("item/completed", { item: { type: "agentMessage", id: "m", text: "done" } }).draw();
    expect(shownPrompt(screen.state)?.drawn).toBe(true);
  });

  it("keep the screen when a message begins after they were drawn", () => {
    const screen = new Screen().ask(1).draw();
    screen.say("item/started", { item: { type: "agentMessage", id: "m", text: "" } }).draw();
    expect(promptHasKeys(screen.state, 0)).toBe(true);
  });

  it("one that is resolved elsewhere goes alone; a notice for an unknown one removes none", () => {
    const screen = new Screen().ask(1).ask(2).approve(3).draw();
    screen.say("serverRequest/resolved", { requestId: 2 });
    expect([screen.waiting, screen.state.prompts[0]?.drawn]).toEqual([[1, 3], true]);
    const before = screen.state.prompts;
    screen.say("serverRequest/resolved", { requestId: 9 });
    expect(screen.state.prompts).toBe(before);
    screen.say("serverRequest/resolved", { requestId: 1 });
    expect([screen.waiting, screen.state.prompts[0]?.drawn]).toEqual([[3], false]);
    expect(screen.effects).toEqual([]);
  });

  it("a request that is sent again keeps its place and what was typed", () => {
    const screen = new Screen().ask(1).ask(2).draw().type("\tnote").ask(1);
    const [first] = screen.state.prompts;
    expect(screen.waiting).toEqual([1, 2]);
    expect(first?.kind === "form" && first.form.states[0]?.notes.text).toBe("note");
  });
});

describe("the history of a submitted form", () => {
  it("is display only: one answer goes out, and neither the cell nor the notice that follows acknowledges it again", () => {
    const screen = new Screen().ask(1).draw().type("2");
    const answer = { type: "respond", requestId: 1, result: { answers: { q: { answers: ["Blue"] } } } };
    expect(screen.effects).toEqual([answer]);
    expect(screen.history).toEqual(["• Questions 1/1 answered\n  • Which?\n    answer: Blue"]);
    screen
      .say("serverRequest/resolved", { requestId: 1 })
      .say("turn/completed", { turn: { id: "turn", status: "completed" } });
    expect([screen.effects, screen.history.length]).toEqual([[answer], 1]);
  });

  it("is left alone by a form that was interrupted: nothing is answered", () => {
    const screen = new Screen().ask(1).draw().type("\x03");
    expect(screen.effects).toEqual([{ type: "interrupt" }]);
    expect(screen.history[0]).toContain("0/1 answered — interrupted before an answer was sent");
  });
});

describe("notes of a form that was not submitted", () => {
  const questions = [QUESTION, { ...QUESTION, id: "s", isSecret: true }, { ...QUESTION, id: "r", options: null }];

  it.each([
    ["interrupted", (screen: Screen) => screen.type("\x1b[27u")],
    [
      "ended with its turn",
      (screen: Screen) => screen.say("turn/completed", { turn: { id: "turn", status: "interrupted" } }),
    ],
    ["answered elsewhere", (screen: Screen) => screen.say("serverRequest/resolved", { requestId: 1 })],
  ])("are the draft, before what was typed already, but for secrets (%s)", (_how, end) => {
    const screen = new Screen().type("draft").ask(1, true, questions).at(1).draw();
    screen.type("\tnot dark\r").type("\thidden\r").type("two\nrows");
    end(screen);
    expect(screen.state.composer.field.text).toBe("not dark\ntwo\nrows\ndraft");
    expect(screen.effects.filter(({ type }) => type === "respond")).toEqual([]);
  });

  it("are not there twice when they were sent", () => {
    const screen = new Screen().ask(1).draw().type("\tnot dark\r");
    expect([screen.state.composer.field.text, screen.effects.length]).toEqual(["", 1]);
  });
});

describe("the timer of questions that do not block", () => {
  const empty = (requestId: number): Effect => ({ type: "respond", requestId, result: { answers: {} } });

  it("is due at 120 s: an empty map, one history cell, and the next in the queue with a fresh timer", () => {
    const screen = new Screen().ask(1, false).ask(2, false).draw();
    screen.at(119.9);
    expect([screen.effects, screen.history]).toEqual([[], []]);
    screen.at(120);
    expect([screen.effects, screen.waiting, screen.history.length]).toEqual([[empty(1)], [2], 1]);
    expect(screen.history[0]).toContain("nobody answered in time");
    screen.draw().at(239.9);
    expect(screen.effects).toEqual([empty(1)]);
    screen.at(240);
    expect([screen.effects, screen.waiting]).toEqual([[empty(1), empty(2)], []]);
  });

  it("leaves a blocking question behind it alone", () => {
    const screen = new Screen().ask(1, false).ask(2).draw().at(120).draw().at(100_000);
    expect([screen.effects, screen.waiting]).toEqual([[empty(1)], [2]]);
  });

  it("runs only while the question can be seen", () => {
    const screen = new Screen()
      .say("item/started", { item: { type: "agentMessage", id: "m", text: "" } })
      .ask(1, false);
    screen.draw().at(300);
    expect(screen.effects).toEqual([]);
    screen
      .say("item/completed", { item: { type: "agentMessage", id: "m", text: "done" } })
      .draw()
      .at(419.9);
    expect(screen.effects).toEqual([]);
    expect(screen.at(420).effects).toEqual([empty(1)]);
  });

  it("is off for good after a key, also in an open confirmation", () => {
    const screen = new Screen().ask(1, false).draw().type("\x7f\r");
    const [form] = screen.state.prompts;
    expect(form?.kind === "form" && form.form.confirming).not.toBeNull();
    expect(screen.at(10_000).effects).toEqual([]);
  });
});

describe("the ways in which an answer can be empty", () => {
  it.each([
    ["submitted empty", (screen: Screen) => screen.type("\x7f\r\r"), "Questions 0/1 answered"],
    ["auto-resolved", (screen: Screen) => screen.at(120), "nobody answered in time"],
    [
      "cleared with its turn",
      (screen: Screen) => screen.say("turn/completed", { turn: { id: "turn", status: "interrupted" } }),
      "interrupted before an answer was sent",
    ],
    [
      "resolved elsewhere",
      (screen: Screen) => screen.say("serverRequest/resolved", { requestId: 1 }),
      "answered or withdrawn elsewhere",
    ],
  ])("%s has a history cell of its own", (_name, end, words) => {
    const screen = new Screen().ask(1, false).draw();
    end(screen);
    expect(screen.history).toHaveLength(1);
    expect(screen.history[0]).toContain(words);
    expect(screen.history[0]).not.toContain("Red");
  });
});
