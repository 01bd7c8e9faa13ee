/** Keys at any moment while prompts come and go; pastes of any text in any pieces. */
import { describe, expect, it } from "vitest";
import { TYPING_PAUSE_MS } from "../src/tui/state/app-state.js";
import { expandPastes } from "../src/tui/text-field/text-field.js";
import { type RunningInterface, startInterface } from "./support/interface.js";

const soak = process.env.TURNKIT_SOAK === "1";

/** Numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % sides;
  };
}

const question = (id: number): Record<string, unknown> => ({
  itemId: `item-${id}`,
  isBlocking: true,
  autoResolutionMs: null,
  questions: [
    {
      id: "q",
      header: "H",
      question: `Question number ${id}?`,
      isOther: true,
      isSecret: false,
      options: [
        { label: "One", description: "" },
        { label: "Two", description: "" },
      ],
    },
  ],
});

const KEYS = ["1", "2", "a", "y", "p", "n", " ", "\r", "\t", "\x7f", "\x1b[A", "\x1b[B", "\x0e", "é", "日"];

/** What is on the screen right now; null unless a person could have seen a prompt and has paused. */
function answerable(ui: RunningInterface): string | number | null {
  const prompt = ui.app.state.prompts[0];
  const typedAt = ui.app.state.composerKeyAt;
  if (!prompt?.drawn || (typedAt !== null && performance.now() - typedAt < TYPING_PAUSE_MS)) return null;
  return prompt.kind === "form" ? prompt.form.request.requestId : prompt.approval.requestId;
}

describe("keys while prompts arrive", () => {
  it("answer only what had been drawn when they were typed", { timeout: 120_000 }, async () => {
    const roll = dice(11);
    await using ui = await startInterface();
    ui.server.turnStarted();
    let next = 0;
    let unintended = 0;
    let intended = 0;
    const open: number[] = [];
    for (let round = 0; round < (soak ? 20_000 : 1500); round += 1) {
      const what = roll(20);
      if (what === 0 && open.length < 4) {
        const approval = roll(2) === 0;
        ui.server.ask(next, approval ? "item/commandExecution/requestApproval" : "item/tool/requestUserInput", {
          ...question(next),
          ...(approval ? { startedAtMs: 0, command: "ls", cwd: "/" } : {}),
        });
        open.push(next);
        next += 1;
      } else if (what === 1 && open.length > 0) {
        ui.server.say("serverRequest/resolved", { requestId: open.splice(roll(open.length), 1)[0] });
      } else if (what === 2) {
        // The person looks, and the pause of typing ends.
        await ui.app.drawn();
        ui.app.update({ ...ui.app.state, composerKeyAt: null });
      } else {
        const seen = answerable(ui);
        const before = ui.server.requestsOf("turn/interrupt").length;
        const answered = ui.server.answers.length;
        ui.terminal.type(KEYS[roll(KEYS.length)] as string);
        await Promise.resolve().then(() => Promise.resolve());
        for (const { id } of ui.server.answers.slice(answered)) {
          if (id === seen) intended += 1;
          else unintended += 1;
          open.splice(open.indexOf(id as number), 1);
        }
        // None of these keys interrupts.
        expect(ui.server.requestsOf("turn/interrupt").length).toBe(before);
      }
    }
    expect(unintended).toBe(0);
    // Otherwise nothing was tried.
    expect(intended).toBeGreaterThan(10);
  });
});

describe("pastes", () => {
  const UNITS = [
    "a",
    "Z",
    " ",
    "  ",
    "\n",
    "\t",
    "é",
    "日本",
    "👩‍👩‍👧",
    "e\u0301",
    "/",
    "@",
    "$",
    "'",
    '"',
    "\\",
    "1",
    "?",
    "\u202f",
    "أ",
  ];

  it("of any text, in any pieces, between typed words, are the draft", { timeout: 120_000 }, async () => {
    const roll = dice(23);
    await using ui = await startInterface();
    for (let round = 0; round < (soak ? 3000 : 150); round += 1) {
      const pasted = Array.from({ length: 1 + roll(roll(8) === 0 ? 2000 : 40) }, () => UNITS[roll(UNITS.length)]).join(
        "",
      );
      const bytes = `x\x1b[200~${pasted}\x1b[201~y`;
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + roll(30);
        ui.terminal.type(bytes.slice(at, end));
        at = end;
      }
      expect(expandPastes(ui.app.state.composer.field).text).toBe(`x${pasted}y`);
      ui.terminal.type("\x03");
      expect(ui.app.state.composer.field.text).toBe("");
    }
    expect(ui.server.requestsOf("turn/start")).toEqual([]);
  });
});
