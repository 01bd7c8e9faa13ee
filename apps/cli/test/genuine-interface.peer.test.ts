/** The genuine terminal interface as a client of our app-server, over its WebSocket and in a real terminal. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { functionCall, message, type ScriptedResponse, startScriptedModel } from "@turnkit/core/scripted-model";
import { ReferenceJudge } from "@turnkit/tooling-conformance/app-server/reference-judge";
import { expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { configureModel, genuineProgram } from "./support/peers.js";
import { recordingRelay } from "./support/recording-relay.js";
import { Tmux } from "./support/tmux.js";
import { until } from "./support/virtual-terminal.js";

const MODEL = "house-model-7";
const QUESTIONS = [
  {
    id: "colour",
    header: "Colour",
    question: "Which colour?",
    options: [
      { label: "Teal", description: "calm" },
      { label: "Amber", description: "warm" },
    ],
  },
  {
    id: "width",
    header: "Width",
    question: "How wide?",
    options: [
      { label: "Narrow", description: "a column" },
      { label: "Wide", description: "the page" },
    ],
  },
];

/** Does what the last message asks for. */
function answer(body: unknown): ScriptedResponse {
  const { input } = body as { input: { type: string; call_id?: string }[] };
  const last = input.at(-1);
  const asked = JSON.stringify(last);
  if (last?.type === "function_call_output") return { items: [message(`Finished ${last.call_id}.`)] };
  if (asked.includes("run a command"))
    return { items: [functionCall("exec_command", { cmd: "echo made by a command" }, "the-command")] };
  if (asked.includes("ask me"))
    return { items: [functionCall("request_user_input", { questions: QUESTIONS }, "the-question")] };
  if (asked.includes("take long")) return { items: [functionCall("exec_command", { cmd: "sleep 600" }, "the-wait")] };
  return { items: [message(`Hello, I am ${MODEL}.`)] };
}

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

/** So that neither onboarding nor trust nor news are asked about or shown. */
function configureInterface(home: Home): void {
  home.write(
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
[projects."${home.path}"]
trust_level = "trusted"
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
`,
  );
}

async function submit(tmux: Tmux, text: string): Promise<void> {
  tmux.keys("-l", text);
  await tmux.shows(`› ${text}`);
  tmux.keys("Enter");
}

it("starts, runs a command, plans, asks, is interrupted, resumes and quits", {
  timeout: 3 * PROCESS_TIMEOUT,
}, async () => {
  await using serverHome = new Home();
  await using clientHome = new Home();
  await using model = await startScriptedModel({ fallback: answer });
  configureModel(serverHome, model.url, MODEL);
  configureInterface(clientHome);
  const server = await startServer(serverHome);
  await using relay = await recordingRelay(server.address);
  const open = (...command: string[]): Tmux =>
    new Tmux(
      { ...clientHome.environment(), CODEX_HOME: clientHome.path, LANG: "C.UTF-8", SHELL: "/bin/bash" },
      `cd ${clientHome.path}; ${[genuineProgram(), ...command, "--remote", relay.address].join(" ")}; echo "[status $?]"`,
    );
  let tmux = open();
  try {
    await tmux.shows(new RegExp(`OpenAI Codex[\\s\\S]*model: +${MODEL}[\\s\\S]*› `));
    await submit(tmux, "who are you");
    await tmux.shows(`Hello, I am ${MODEL}.`);

    await submit(tmux, "run a command");
    await tmux.shows(/Ran echo made by a command\s+└ made by a command[\s\S]*Finished the-command\./);

    tmux.keys("-l", "/plan");
    await tmux.shows(/› \/plan\s[\s\S]*\/plan /);
    tmux.keys("Enter");
    await tmux.shows("Plan mode");

    await submit(tmux, "ask me");
    await tmux.shows(
      /Question 1\/2 \(2 unanswered\)[\s\S]*Which colour\?[\s\S]*› 1\. Teal +calm[\s\S]*None of the above/,
    );
    tmux.keys("Down");
    await tmux.shows("› 2. Amber");
    tmux.keys("Tab");
    await tmux.shows("Add notes");
    tmux.keys("-l", "with a star");
    await tmux.shows("with a star");
    tmux.keys("Enter");
    await tmux.shows(/Question 2\/2 \(1 unanswered\)[\s\S]*How wide\?/);
    tmux.keys("2");
    const answered = await tmux.shows(/Finished the-question\./);
    expect(answered).toMatch(
      /Questions 2\/2 answered\s+• Which colour\?\s+answer: Amber\s+note: with a star\s+• How wide\?\s+answer: Wide/,
    );
    expect(JSON.stringify(model.calls.at(-1)?.body)).toContain("user_note: with a star");

    await submit(tmux, "take long");
    await tmux.shows(/esc to interrupt\) · 1 background terminal running/);
    tmux.keys("Escape");
    await tmux.shows("Conversation interrupted");
    await submit(tmux, "/ps");
    await tmux.shows(/Background terminals\s+• sleep 600/);
    await submit(tmux, "/stop");
    await tmux.shows("Stopping all background terminals");
    await submit(tmux, "/quit");
    expect(await tmux.shows("[status 0]")).toContain("To continue this session, run codex resume");
    tmux.kill();

    tmux = open("resume", "--last");
    await tmux.shows(
      /› who are you[\s\S]*Finished the-command\.[\s\S]*› ask me[\s\S]*› take long[\s\S]*Conversation interrupted/,
    );
    await submit(tmux, "still there");
    await tmux.shows(new RegExp(`› still there[\\s\\S]*Hello, I am ${MODEL}.`));
    expect(JSON.stringify(model.calls.at(-1)?.body)).toContain("run a command");
    await submit(tmux, "/quit");
    await tmux.shows("[status 0]");
    expect(model.errors).toEqual([]);
    const { judged, violations } = (await ReferenceJudge.of(genuineProgram())).judge(relay.traffic);
    expect(violations).toEqual([]);
    expect(judged).toBeGreaterThan(80);
    expect(refusals(relay.traffic)).toEqual(["thread/goal/get", "thread/start"]);
  } finally {
    tmux.kill();
    server.process.kill();
    await once(server.process, "exit");
  }
});

/** Methods that were answered with an error. A message typed as a turn ends is steered into it first, and then starts one. */
function refusals(traffic: Awaited<ReturnType<typeof recordingRelay>>["traffic"]): string[] {
  const asked = new Map<string, string>();
  const refused = new Set<string>();
  for (const { direction, message } of traffic) {
    if (direction === "client" && message.method !== undefined) asked.set(String(message.id), message.method);
    if (message.error?.message === "no active turn to steer") continue;
    if (direction === "server" && message.error !== undefined) refused.add(asked.get(String(message.id)) ?? "unknown");
  }
  return [...refused].sort();
}
