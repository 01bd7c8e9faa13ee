/**
 * The same keys typed into the genuine interface and into ours give the same answers on the wire. Both are clients of our
 * app-server, each behind a relay that records. `TURNKIT_PEER_CODEX` names the genuine program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { expect, it } from "vitest";
import { TYPING_PAUSE_MS } from "../src/tui/state/app-state.js";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { configureModel, genuineProgram } from "./support/peers.js";
import { recordingRelay } from "./support/recording-relay.js";
import { Tmux } from "./support/tmux.js";
import { until } from "./support/virtual-terminal.js";

const option = (label: string): Record<string, string> => ({ label, description: `It is ${label.toLowerCase()}.` });
const QUESTIONS = [
  { id: "colour", header: "Colour", question: "Which colour?", options: [option("Teal"), option("Amber")] },
  { id: "width", header: "Width", question: "How wide?", options: [option("Narrow"), option("Wide")] },
];

/** A key (a name that tmux knows, or `=text`), and what both interfaces show once it was taken. */
type Script = readonly (readonly [key: string, shows: RegExp | null])[];

const FIRST = /Question 1\/2/;
const SECOND = /Question 2\/2/;
const CONFIRM = /Submit with unanswered questions\?/;

const SCRIPTS: Readonly<Record<string, Script>> = {
  digits: [
    ["2", SECOND],
    ["1", null],
  ],
  arrowsAndNotes: [
    ["Down", /› 2\. Amber/],
    ["Tab", /Add notes/],
    ["=with a star", /with a star/],
    ["Enter", SECOND],
    ["j", /› 2\. Wide/],
    ["Enter", null],
  ],
  noneOfTheAbove: [
    ["k", /› 3\. None of the above/],
    ["Enter", /Add notes/],
    ["=teal, but dark", /but dark/],
    ["Enter", SECOND],
    ["2", null],
  ],
  clearedNotes: [
    ["Tab", /Add notes/],
    ["=nonsense", /nonsense/],
    ["Escape", /tab to add notes/],
    ["Enter", SECOND],
    ["Enter", null],
  ],
  unanswered: [
    ["Right", SECOND],
    ["2", CONFIRM],
    ["Enter", null],
  ],
  wentBack: [
    ["C-n", SECOND],
    ["1", CONFIRM],
    ["2", /› 2\. Go back/],
    ["Enter", FIRST],
    ["2", SECOND],
    ["Enter", null],
  ],
  movedBackAndForth: [
    ["Down", /› 2\. Amber/],
    ["Space", null],
    ["Up", /› 1\. Teal/],
    ["Down", /› 2\. Amber/],
    ["Enter", SECOND],
    ["Left", FIRST],
    ["Up", /› 1\. Teal/],
    ["Enter", SECOND],
    ["Enter", null],
  ],
  typedOverOptions: [
    ["=x", null],
    ["=yz", null],
    ["Enter", SECOND],
    ["2", null],
  ],
  nothingAtAll: [
    ["BSpace", null],
    ["Enter", SECOND],
    ["BSpace", null],
    ["Enter", CONFIRM],
    ["Enter", null],
  ],
};

/** Letters that the list does not use: the genuine interface ignores them, ours begins a note with them. */
const DELIBERATE: Readonly<Record<Interface, unknown>> = {
  genuine: { answers: { colour: { answers: ["Teal"] }, width: { answers: ["Wide"] } } },
  ours: { answers: { colour: { answers: ["Teal", "user_note: xyz"] }, width: { answers: ["Wide"] } } },
};

async function startServer(home: Home): Promise<{ readonly address: string; readonly process: ChildProcess }> {
  const child = spawn(process.execPath, [MAIN, "app-server", "--listen", "ws://127.0.0.1:0"], {
    env: home.environment(),
    cwd: home.path,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const address = /ws:\/\/127\.0\.0\.1:[1-9]\d*/;
  const text = await until(
    () => said,
    (seen) => address.test(seen),
    "the server says where it listens",
  );
  return { address: address.exec(text)?.[0] as string, process: child };
}

type Interface = "genuine" | "ours";

function open(which: Interface, home: Home, address: string): Tmux {
  const program = which === "genuine" ? genuineProgram() : `${process.execPath} ${MAIN}`;
  return new Tmux(
    { ...home.environment(), CODEX_HOME: home.path, LANG: "C.UTF-8", SHELL: "/bin/bash" },
    `cd ${home.path}; ${program} --remote ${address}`,
  );
}

async function play(tmux: Tmux, name: string, script: Script): Promise<void> {
  tmux.keys("-l", `ask me ${name}`);
  await tmux.shows(`› ask me ${name}`);
  tmux.keys("Enter");
  await tmux.shows(/Question 1\/2 \(2 unanswered\)[\s\S]*› 1\. Teal/);
  // Ours leaves the keys to the draft until the person has paused: this is the pause.
  await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS + 50));
  for (const [key, shows] of script) {
    if (key.startsWith("=")) tmux.keys("-l", key.slice(1));
    else tmux.keys(key);
    if (shows) await tmux.shows(shows);
  }
  await tmux.shows(`Heard ${name}.`);
}

it("the same keys give the same answers", { timeout: 4 * PROCESS_TIMEOUT }, async () => {
  await using home = new Home();
  await using model = await startScriptedModel({
    fallback: (body) => {
      const { input } = body as { input: { type: string; call_id?: string }[] };
      const last = input.at(-1);
      if (last?.type === "function_call_output") return { items: [message(`Heard ${last.call_id}.`)] };
      const name = /ask me (\w+)/.exec(JSON.stringify(last))?.[1] ?? "nothing";
      return { items: [functionCall("request_user_input", { questions: QUESTIONS }, name)] };
    },
  });
  configureModel(home, model.url);
  const server = await startServer(home);
  const answers: Record<Interface, unknown[]> = { genuine: [], ours: [] };
  try {
    for (const which of ["genuine", "ours"] as const) {
      await using client = new Home();
      client.write(
        "config.toml",
        `model_provider = "scripted"
check_for_update_on_startup = false
disable_paste_burst = true
[analytics]
enabled = false
[tui]
show_tooltips = false
animations = false
[notice]
hide_full_access_warning = true
[projects."${client.path}"]
trust_level = "trusted"
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
`,
      );
      await using relay = await recordingRelay(server.address);
      const tmux = open(which, client, relay.address);
      try {
        await tmux.shows(/gpt-5\.4[\s\S]*› /);
        tmux.keys("-l", "/plan");
        await tmux.shows(/› \/plan/);
        tmux.keys("Enter");
        await tmux.shows(/Plan mode/i);
        for (const [name, script] of Object.entries(SCRIPTS)) await play(tmux, name, script);
      } finally {
        tmux.kill();
      }
      const asked = new Set(
        relay.traffic.flatMap(({ direction, message: sent }) =>
          direction === "server" && sent.method === "item/tool/requestUserInput" ? [String(sent.id)] : [],
        ),
      );
      for (const { direction, message: sent } of relay.traffic) {
        if (direction === "client" && sent.method === undefined && asked.has(String(sent.id))) {
          answers[which].push(sent.result);
        }
      }
    }
    const names = Object.keys(SCRIPTS);
    expect(answers.genuine).toHaveLength(names.length);
    const differing = names.indexOf("typedOverOptions");
    for (const which of ["genuine", "ours"] as const)
      expect(answers[which].splice(differing, 1)).toEqual([DELIBERATE[which]]);
    expect(answers.ours).toEqual(answers.genuine);
  } finally {
    server.process.kill();
    await once(server.process, "exit");
  }
});
