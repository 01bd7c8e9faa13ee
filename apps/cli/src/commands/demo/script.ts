/**
 * What the demo's scripted model says. Nothing a person or the program decides is written here: answers, session ids
 * and ticket numbers are taken from the outputs that the model is sent.
 */
import { PROGRAM_NAME } from "./program.js";

interface Step {
  readonly call: string;
  readonly after: string | null;
  readonly say?: string;
  readonly tool: "request_user_input" | "exec_command" | "write_stdin";
  readonly arguments: Readonly<Record<string, unknown>>;
}

const type = (
  call: string,
  after: string,
  chars: string,
  more: Readonly<Record<string, unknown>> = {},
  say?: string,
): Step => ({
  call,
  after,
  tool: "write_stdin",
  arguments: { session_id: "{{session.start}}", chars, ...more },
  ...(say ? { say } : {}),
});

const COLOUR = "{{answer.colour | firstWord ?? plain}} {{note.colour | firstLine ?? }}";

function steps(folder: string): readonly Step[] {
  return [
    {
      call: "ask",
      after: null,
      say: "Two questions before I start.",
      tool: "request_user_input",
      arguments: {
        questions: [
          {
            id: "colour",
            header: "Colour",
            question: "Which colour should the flag have?",
            options: [
              { label: "Teal (Recommended)", description: "Calm, and easy on the eyes." },
              { label: "Amber", description: "Warm and loud." },
              { label: "Violet", description: "Nobody else has it." },
            ],
          },
          {
            id: "width",
            header: "Width",
            question: "How wide should it be?",
            options: [
              { label: "Wide (Recommended)", description: "Seen from far away." },
              { label: "Narrow", description: "Fits into a mail." },
            ],
          },
        ],
      },
    },
    {
      call: "start",
      after: "ask",
      say: "I start the flag painter in a terminal of its own and tell it what you chose.",
      tool: "exec_command",
      arguments: { cmd: `sh ${PROGRAM_NAME}`, workdir: folder, tty: true, login: false, yield_time_ms: 500 },
    },
    type("colour", "start", `colour ${COLOUR}\n`),
    type("width", "colour", "width {{answer.width | firstWord ?? narrow}} {{note.width | firstLine ?? }}\n"),
    type("paint", "width", "paint\n", {}, "Now it paints, which takes a moment. I wait for it."),
    {
      call: "poll",
      after: "paint",
      tool: "write_stdin",
      arguments: { session_id: "{{session.start}}", yield_time_ms: 5000 },
    },
    type(
      "show",
      "poll",
      "show {{output.poll | lastLine | firstWord}}\n",
      {},
      "It gave the flag a number. I ask for the flag by it.",
    ),
    type("end", "show", "\u0004", { yield_time_ms: 1000 }, "That is all; Ctrl-D ends the program."),
  ];
}

const REFUSED = { matches: { text: "{{output.ask}}", pattern: "unavailable|only be used" } };

const REPORT = [
  "The flag is painted.",
  "",
  "- You chose **{{answer.colour ?? no colour}}** and **{{answer.width ?? no width}}**.",
  "- The program ran in terminal {{session.start}} and gave the flag the number {{output.poll | lastLine | firstWord}}.",
  "- It ended with exit code {{exit.end ?? unknown}}.",
].join("\n");

const LATER = [
  "This is the scripted model of the demo: it understands nothing, but it sees the whole thread.",
  "",
  "- You just wrote: {{lastUserText}}",
  "- Before that you asked: {{firstUserText}}",
  "- You chose {{answer.colour ?? no colour}} and {{answer.width ?? no width}}.",
  "- The flag has the number {{output.poll | lastLine | firstWord ?? none}}.",
].join("\n");

const LATER_SCRIPT = { repeat: [{ items: [{ type: "message", text: LATER }] }] };

/** A script file's value, for a program in `folder`. */
export function demoScript(folder: string): unknown {
  const refused = {
    when: { ...REFUSED, lacksOutput: "start" },
    items: [
      {
        type: "message",
        text: "I may not ask here: {{output.ask}}\n\nThe feature `default_mode_request_user_input` allows it.",
      },
    ],
  };
  const played = steps(folder).map((entry) => ({
    when: {
      lacksOutput: entry.call,
      ...(entry.after === null ? {} : { hasOutput: entry.after }),
      ...(entry.after === "ask" ? { not: REFUSED } : {}),
    },
    items: [
      ...(entry.say ? [{ type: "message", text: entry.say, phase: "commentary" }] : []),
      { type: "function_call", name: entry.tool, call_id: entry.call, arguments: entry.arguments },
    ],
    deltaGapMs: 8,
  }));
  const [ask, ...rest] = played;
  return {
    comment: "The script of `turnkit demo`.",
    responses: [
      ask,
      refused,
      ...rest,
      { when: { hasOutput: "end" }, items: [{ type: "message", text: REPORT }], deltaGapMs: 8 },
    ],
    ...LATER_SCRIPT,
  };
}

/** What it says when a thread of the demo is gone on with. */
export function laterScript(): unknown {
  return { comment: "A later turn of the demo.", responses: [], ...LATER_SCRIPT };
}
