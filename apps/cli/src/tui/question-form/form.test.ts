import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultKeymap, readKeymap } from "../keymap/keymap.js";
import { KeyDecoder } from "../terminal/key-decoder.js";
import { lineText } from "../terminal/style.js";
import { formAnswers, formHistory } from "./form-answers.js";
import { formKey, formPaste } from "./form-keys.js";
import { autoResolveSeconds, type Form, type FormQuestion, type FormRequest, openForm } from "./form-state.js";
import { viewForm } from "./form-view.js";

const colour: FormQuestion = {
  id: "colour",
  header: "Colour",
  question: "Which colour?",
  isOther: true,
  isSecret: false,
  options: [
    { label: "Red", description: "Warm." },
    { label: "Blue", description: "Cool." },
  ],
};
const size: FormQuestion = {
  ...colour,
  id: "size",
  question: "Which size?",
  options: [{ label: "Small", description: "" }],
};
const free: FormQuestion = { ...colour, id: "name", question: "Your name?", isOther: false, options: null };

function request(questions: readonly FormQuestion[], isBlocking = true): FormRequest {
  return { requestId: 0, turnId: "turn", itemId: "item", questions, isBlocking };
}

interface Run {
  form: Form;
  effect: string | null;
}

function press(start: Form, bytes: string, keymap = defaultKeymap): Run {
  const decoder = new KeyDecoder();
  let run: Run = { form: start, effect: null };
  for (const event of [...decoder.push(bytes), ...decoder.flush()]) {
    if (run.effect) throw new Error(`key after ${run.effect}`);
    if (event.type === "key") run = formKey(run.form, event, keymap, 60);
    else if (event.type === "paste") run = { form: formPaste(run.form, event.text), effect: null };
  }
  return run;
}

const open = (...questions: FormQuestion[]): Form => openForm(request(questions), 0, true);
const answersOf = (run: Run): Record<string, string[]> =>
  Object.fromEntries(Object.entries(formAnswers(run.form)).map(([id, entry]) => [id, entry.answers]));
const [UP, DOWN, RIGHT, LEFT, CTRL_N, CTRL_P, CTRL_C, ESC] = [
  "\x1b[A",
  "\x1b[B",
  "\x1b[C",
  "\x1b[D",
  "\x0e",
  "\x10",
  "\x03",
  "\x1b",
];

describe("choosing", () => {
  it("submits the preselected option on Enter", () => {
    const run = press(open(colour), "\r");
    expect(run.effect).toBe("submit");
    expect(answersOf(run)).toEqual({ colour: ["Red"] });
  });

  it.each([
    [DOWN, ["Blue"]],
    ["j", ["Blue"]],
    [`${DOWN}${UP}${UP}${UP}`, ["Blue"]],
    [`${DOWN}${DOWN}${DOWN}`, ["Red"]],
  ])("moves with wrap (%j)", (keys, expected) => {
    expect(answersOf(press(open(colour), `${keys}\r`))).toEqual({ colour: expected });
  });

  it("takes a digit as choice and goes on", () => {
    const run = press(open(colour, size), "21");
    expect(run.effect).toBe("submit");
    expect(answersOf(run)).toEqual({ colour: ["Blue"], size: ["Small"] });
  });

  it("ignores a digit without a row", () => {
    expect(press(open(colour), "9")).toEqual({ form: { ...open(colour), autoResolveSince: null }, effect: null });
  });

  it("opens notes for None of the above, and sends both", () => {
    const run = press(open(colour), `${UP}\r`);
    expect(run.form.focus).toBe("notes");
    expect(answersOf(press(run.form, "teal\r"))).toEqual({ colour: ["None of the above", "user_note: teal"] });
  });

  it("clears the selection with Backspace, and Enter then leaves it unanswered", () => {
    const run = press(open(colour, size), "\x7f\r1");
    expect(run.form.confirming).toEqual({ selected: 0 });
    expect(answersOf(press(run.form, "\r"))).toEqual({ colour: [], size: ["Small"] });
  });
});

describe("notes", () => {
  it("Tab opens notes; label and note are both sent, trimmed", () => {
    expect(answersOf(press(open(colour), `${DOWN}\t  dark one \r`))).toEqual({
      colour: ["Blue", "user_note: dark one"],
    });
  });

  it("a character that the list does not use begins a note", () => {
    const run = press(open(colour), "but dark");
    expect(run.form.focus).toBe("notes");
    expect(answersOf(press(run.form, "\r"))).toEqual({ colour: ["Red", "user_note: but dark"] });
  });

  it("with the vim keys switched off, h j k l begin notes too", () => {
    const { keymap, problems } = readKeymap({
      list: { move_up: "up", move_down: "down" },
      question: { previous_in_options: "left", next_in_options: "right" },
    });
    expect(problems).toEqual([]);
    expect(readKeymap({}, false).keymap).toEqual(keymap);
    expect(press(open(colour), "jkl", keymap).form.states[0]?.notes.text).toBe("jkl");
  });

  it.each(["\t", ESC])("%j in notes clears them and goes back to the options", (key) => {
    const run = press(open(colour), `\tabc${key}`);
    expect([run.effect, run.form.focus, run.form.states[0]?.notes.text]).toEqual([null, "options", ""]);
  });

  it("up and down change the option below the notes", () => {
    expect(answersOf(press(open(colour), `\tx${DOWN}\r`))).toEqual({ colour: ["Blue", "user_note: x"] });
  });

  it("Ctrl-C clears typed notes before it interrupts", () => {
    const run = press(open(colour), `\tabc${CTRL_C}`);
    expect([run.effect, run.form.states[0]?.notes.text]).toEqual([null, ""]);
    expect(press(run.form, CTRL_C).effect).toBe("interrupt");
  });

  it("a paste opens notes, keeps its newlines and submits nothing", () => {
    const run = press(open(colour), "\x1b[200~one\r\ntwo\r\n\x1b[201~");
    expect(run.effect).toBeNull();
    expect(answersOf(press(run.form, "\r"))).toEqual({ colour: ["Red", "user_note: one\ntwo"] });
  });
});

describe("moving between questions", () => {
  it.each([[RIGHT], ["l"], [CTRL_N], ["\x1b[6~"]])("%j goes to the next and wraps", (key) => {
    expect(press(open(colour, size), key).form.current).toBe(1);
    expect(press(open(colour, size), key + key).form.current).toBe(0);
  });

  it.each([[LEFT], ["h"], [CTRL_P], ["\x1b[5~"]])("%j goes to the previous and wraps", (key) => {
    expect(press(open(colour, size), key).form.current).toBe(1);
  });

  it("keeps drafts, leaves them uncommitted, and offers to include them", () => {
    const run = press(open(colour, size), `\tmaybe${CTRL_N}1`);
    expect(run.form.confirming).toEqual({ selected: 0 });
    expect(answersOf(press(run.form, "\r"))).toEqual({ colour: [], size: ["Small"] });
    expect(answersOf(press(run.form, "3\r"))).toEqual({ colour: ["Red", "user_note: maybe"], size: ["Small"] });
    const back = press(run.form, "2\r").form;
    expect([back.current, back.states[0]?.notes.text]).toEqual([0, "maybe"]);
  });

  it.each([ESC, "\x7f"])("%j leaves the confirmation for the first unanswered question", (key) => {
    const run = press(press(open(colour, size), `${CTRL_N}1`).form, key);
    expect([run.effect, run.form.confirming, run.form.current]).toEqual([null, null, 0]);
  });
});

describe("free text", () => {
  it("is sent as a note", () => {
    expect(answersOf(press(open(free), "Ada\r"))).toEqual({ name: ["user_note: Ada"] });
  });

  it("blank text stays unanswered but goes on to the confirmation", () => {
    const run = press(open(free), "  \r");
    expect(run.form.confirming).toEqual({ selected: 0 });
    expect(answersOf(press(run.form, "\r"))).toEqual({ name: [] });
  });

  it("secret text is masked on the screen and in the history, and sent as it is", () => {
    const run = press(open({ ...free, isSecret: true }), "hunter2");
    const screen = viewForm(run.form, defaultKeymap, 60, 20, 0).lines.map(lineText).join("\n");
    expect(screen).toContain("*******");
    expect(screen).not.toContain("hunter2");
    const sent = press(run.form, "\r");
    expect(answersOf(sent)).toEqual({ name: ["user_note: hunter2"] });
    expect(formHistory(sent.form, "submitted").map(lineText).join("\n")).not.toContain("hunter2");
  });
});

describe("leaving", () => {
  it.each([ESC, CTRL_C])("%j interrupts", (key) => {
    expect(press(open(colour), key).effect).toBe("interrupt");
  });

  it("a rebound interrupt key leaves Escape without effect", () => {
    const { keymap } = readKeymap({ question: { interrupt: "f12" } });
    expect(press(open(colour), ESC, keymap).effect).toBeNull();
    expect(press(open(colour), "\x1b[24~", keymap).effect).toBe("interrupt");
  });

  it("the keys that choose change no byte of the answer", () => {
    const { keymap } = readKeymap({ list: { move_down: "f5", accept: "f6" }, question: { submit: "f6", notes: "f7" } });
    const usual = press(open(colour), `${DOWN}\tdark\r`);
    const rebound = press(open(colour), "\x1b[15~\x1b[18~dark\x1b[17~", keymap);
    expect(JSON.stringify(answersOf(rebound))).toBe(JSON.stringify(answersOf(usual)));
    expect([rebound.effect, usual.effect]).toEqual(["submit", "submit"]);
  });

  it("a form without questions submits an empty map", () => {
    const run = press(open(), "\r");
    expect([run.effect, answersOf(run)]).toEqual(["submit", {}]);
  });
});

describe("auto-resolution", () => {
  const loose = openForm(request([colour], false), 1000, true);

  it("is hidden for 60 s, counts down for 60 s, then is due", () => {
    const at = (seconds: number): number | null => autoResolveSeconds(loose, 1000 + seconds * 1000);
    expect([at(0), at(59.9), at(60), at(61), at(119.9), at(120)]).toEqual([null, null, 60, 59, 1, 0]);
  });

  it("never starts for blocking questions or when switched off", () => {
    expect(openForm(request([colour], true), 0, true).autoResolveSince).toBeNull();
    expect(openForm(request([colour], false), 0, false).autoResolveSince).toBeNull();
  });

  it("is stopped for good by any key or paste", () => {
    expect(press(loose, "\x1b[1;5P").form.autoResolveSince).toBeNull();
    expect(press(loose, "\x1b[200~x\x1b[201~").form.autoResolveSince).toBeNull();
  });

  it("is never called a choice in the history", () => {
    const text = formHistory(loose, "autoResolved").map(lineText).join("\n");
    expect(text).toContain("0/1 answered");
    expect(text).not.toContain("Red");
  });
});

describe("any keys", () => {
  it("never send an answer that was not committed, and always one entry per question", () => {
    const keys = fc.constantFrom(
      "\r",
      "\t",
      " ",
      "1",
      "2",
      "x",
      UP,
      DOWN,
      LEFT,
      RIGHT,
      CTRL_N,
      CTRL_P,
      "\x7f",
      ESC,
      CTRL_C,
    );
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 40 }), (list) => {
        let run: Run = { form: open(colour, free), effect: null };
        for (const bytes of list) {
          if (run.effect) break;
          run = press(run.form, bytes);
        }
        const answers = answersOf(run);
        expect(Object.keys(answers)).toEqual(["colour", "name"]);
        for (const [index, id] of ["colour", "name"].entries()) {
          if (!run.form.states[index]?.committed) expect(answers[id]).toEqual([]);
        }
      }),
    );
  });
});
