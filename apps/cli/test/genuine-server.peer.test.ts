/** The interface as a client of the genuine app-server, over its WebSocket. `TURNKIT_PEER_CODEX` names the program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { expect, it } from "vitest";
import { connect } from "../src/client/connect.js";
import { App } from "../src/tui/app/app.js";
import { openedState, settingsOf } from "../src/tui/app/thread-opening.js";
import { defaultKeymap } from "../src/tui/keymap/keymap.js";
import { initialState } from "../src/tui/state/app-state.js";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";
import { until, VirtualTerminal } from "./support/virtual-terminal.js";

const QUESTIONS = [
  {
    id: "colour",
    header: "Colour",
    question: "Which?",
    options: [
      { label: "Red", description: "" },
      { label: "Blue", description: "" },
    ],
  },
];

async function startGenuine(home: Home): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  const child = spawn(program, ["app-server", "--listen", "ws://127.0.0.1:0"], {
    env: { ...home.environment(), CODEX_HOME: home.path },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const text = await until(
    () => said,
    (seen) => /ws:\/\/127\.0\.0\.1:[1-9]\d*/.test(seen),
    "the server says where it listens",
  );
  return {
    address: /ws:\/\/127\.0\.0\.1:[1-9]\d*/.exec(text)?.[0] as string,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

it("answers a question of a turn on the genuine server", { timeout: PROCESS_TIMEOUT }, async () => {
  await using home = new Home();
  await using model = await startScriptedModel({
    responses: [
      { items: [functionCall("request_user_input", { questions: QUESTIONS }, "ask")] },
      { items: [message("Thanks.")] },
    ],
  });
  home.write(
    "config.toml",
    `model = "gpt-5.4"
model_provider = "test"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[features]
apps = false
plugins = false
default_mode_request_user_input = true
[model_providers.test]
name = "test"
base_url = "${model.url}"
wire_api = "responses"
`,
  );
  const server = await startGenuine(home);
  try {
    await using connection = await connect({
      remote: server.address,
      overrides: [],
      name: "turnkit_tui",
      log: undefined,
    });
    const opened = await connection.request("thread/start", { cwd: home.path });
    const terminal = new VirtualTerminal();
    const app = new App({
      connection,
      terminal,
      palette: { color: "none", background: "dark" },
      state: openedState(initialState(defaultKeymap, settingsOf(opened, "0"), true), opened),
      banner: [],
      prompt: "ask me",
      once: true,
      notify: [],
      pasteBursts: false,
    });
    const running = app.run();
    await until(
      () => terminal.text(),
      (text) => text.includes("Question 1/1"),
      "the question",
    );
    terminal.type("2");
    await running;
    expect(await terminal.text()).toContain("Thanks.");
    expect(JSON.stringify(model.calls[1]?.body)).toContain(
      '{\\"answers\\":{\\"colour\\":{\\"answers\\":[\\"Blue\\"]}}}',
    );
  } finally {
    await server.stop();
  }
});
