import { describe, expect, it } from "vitest";
import { type RunningInterface, startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

const QUESTIONS = [
  {
    id: "colour",
    header: "Colour",
    question: "Which colour should the banner have? It is printed on every page, so choose one that people can read.",
    isOther: true,
    isSecret: false,
    options: [
      { label: "Teal (Recommended)", description: "Calm, and readable on light and dark backgrounds alike." },
      { label: "Amber", description: "Warm and loud." },
    ],
  },
  {
    id: "size",
    header: "Size",
    question: "How large?",
    isOther: true,
    isSecret: false,
    options: [{ label: "Small", description: "One line." }],
  },
];

async function withForm(size: readonly [number, number], isBlocking = true): Promise<RunningInterface> {
  const ui = await startInterface(size);
  ui.server.turnStarted();
  ui.server.ask(0, "item/tool/requestUserInput", {
    itemId: "call",
    questions: QUESTIONS,
    isBlocking,
    autoResolutionMs: null,
  });
  await ui.shows("Question 1/2 (2 unanswered)");
  return ui;
}

const answers = (ui: RunningInterface): Promise<unknown> =>
  until(
    () => ui.server.answers[0]?.result,
    (result) => result !== undefined,
    "an answer",
  );

describe.each([
  [80, 24],
  [40, 15],
] as const)("at %dx%d", (columns, rows) => {
  const golden = (name: string): string => `golden/${name}-${columns}x${rows}.txt`;

  it("shows options, notes, the confirmation and the history cell", async () => {
    await using ui = await withForm([columns, rows]);
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(golden("form-options"));
    ui.terminal.type("\x1b[B\tas dark as\x1b\rpossible 日本");
    await ui.shows("possible 日本");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(golden("form-notes"));
    expect((await ui.terminal.cursor())[0]).toBe(4 + "possible ".length + 4);
    ui.terminal.submit("\x0e\x1b[B\r");
    await ui.shows("Submit with unanswered questions?");
    await expect(await ui.terminal.screen()).toMatchFileSnapshot(golden("form-confirmation"));
    ui.terminal.submit("3");
    expect(await answers(ui)).toEqual({
      answers: {
        colour: { answers: ["Amber", "user_note: as dark as\npossible 日本"] },
        size: { answers: ["None of the above"] },
      },
    });
    await ui.shows("Questions 2/2 answered");
    await expect((await ui.terminal.screen()).replace(/[●○] Working \(\d+s/, "● Working (0s")).toMatchFileSnapshot(
      golden("form-history"),
    );
  });
});

describe("keys and prompts", () => {
  it("a prompt takes no keys before it is drawn: they go to the draft", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.server.ask(0, "item/tool/requestUserInput", {
      itemId: "call",
      questions: QUESTIONS,
      isBlocking: true,
      autoResolutionMs: null,
    });
    ui.terminal.type("1");
    await ui.shows("Question 1/2 (2 unanswered)");
    expect(ui.app.state.composer.field.text).toBe("1");
    expect(ui.server.answers).toEqual([]);
  });

  it("a person who is typing goes on typing; the draft is kept when the prompt takes over", async () => {
    await using ui = await startInterface();
    ui.terminal.type("fix ");
    await withPrompt(ui);
    ui.terminal.type("2");
    expect(ui.app.state.composer.field.text).toBe("fix 2");
    await until(
      () => performance.now() - (ui.app.state.composerKeyAt ?? 0),
      (passed) => passed > 450,
    );
    ui.terminal.type("21");
    expect(await answers(ui)).toEqual({ answers: { colour: { answers: ["Amber"] }, size: { answers: ["Small"] } } });
    expect(ui.app.state.composer.field.text).toBe("fix 2");
  });

  it.each([
    [80, 24],
    [40, 15],
  ] as const)(
    "at %dx%d the draft has a place of its own below the whole form, and gives it back",
    async (columns, rows) => {
      await using ui = await startInterface([columns, rows]);
      ui.terminal.type("wait");
      ui.terminal.type("\x7f\x7f\x7f\x7f");
      await withPrompt(ui);
      const typing = await until(
        () => ui.terminal.screen(),
        (screen) => screen.includes("Enter steers this turn"),
        "the draft is below the form",
      );
      for (const words of ["Question 1/2", "Which colour", "1. Teal"]) expect(typing).toContain(words);
      // Nobody touches a key: the pause ends by itself, and so does the draft's place.
      const paused = await until(
        () => ui.terminal.screen(),
        (screen) => !screen.includes("Enter steers this turn"),
        "the draft gave its place back",
      );
      for (const words of ["Question 1/2", "Which colour", "1. Teal", "esc to interrupt"])
        expect(paused).toContain(words);
    },
  );

  it("later requests wait, and one that is resolved elsewhere goes away alone", async () => {
    await using ui = await withForm([80, 24]);
    ui.server.ask(1, "item/tool/requestUserInput", {
      itemId: "b",
      questions: [{ ...QUESTIONS[1], question: "Second?" }],
      isBlocking: true,
      autoResolutionMs: null,
    });
    ui.server.ask(2, "item/tool/requestUserInput", {
      itemId: "c",
      questions: [{ ...QUESTIONS[1], question: "Third?" }],
      isBlocking: true,
      autoResolutionMs: null,
    });
    await ui.shows("2 more waiting");
    ui.server.say("serverRequest/resolved", { requestId: 1 });
    await ui.shows("1 more waiting");
    await ui.shows("answered or withdrawn elsewhere");
    ui.terminal.type("11");
    await ui.shows("Third?");
    expect(ui.server.answers.map((answer) => answer.id)).toEqual([0]);
  });

  it("Escape interrupts the turn and sends no answer", async () => {
    await using ui = await withForm([80, 24]);
    ui.terminal.type("\x1b");
    await ui.shows("interrupted before an answer was sent");
    await until(
      () => ui.server.requestsOf("turn/interrupt"),
      (list) => list.length === 1,
    );
    expect(ui.server.answers).toEqual([]);
  });

  it("random keys while prompts arrive answer nothing that was not shown", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    const rounds = process.env.TURNKIT_SOAK === "1" ? 500 : 25;
    let seed = 7;
    for (let round = 0; round < rounds; round += 1) {
      ui.server.ask(round, "item/tool/requestUserInput", {
        itemId: `i${round}`,
        questions: QUESTIONS,
        isBlocking: true,
        autoResolutionMs: null,
      });
      // Typed in the same instant: nobody can have seen the question.
      for (let key = 0; key < 5; key += 1) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        ui.terminal.type("12xy \t\x7f"[seed % 7] as string);
      }
      ui.server.say("serverRequest/resolved", { requestId: round });
    }
    expect(ui.server.answers).toEqual([]);
  });
});

async function withPrompt(ui: RunningInterface): Promise<void> {
  ui.server.turnStarted();
  ui.server.ask(0, "item/tool/requestUserInput", {
    itemId: "call",
    questions: QUESTIONS,
    isBlocking: true,
    autoResolutionMs: null,
  });
  await ui.shows("Question 1/2 (2 unanswered)");
}
