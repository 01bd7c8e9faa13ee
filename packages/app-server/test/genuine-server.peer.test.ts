/** Our typed client drives the genuine app-server: `TURNKIT_PEER_CODEX` names the program. */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { jsonLinesTransport } from "@turnkit/rpc/stdio";
import { expect, it } from "vitest";
import { AppClient, type AppNotification, type ServerRequestHandlers } from "../src/client/index.js";

function launch(home: string, requests: ServerRequestHandlers) {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  const child = spawn(program, ["app-server"], {
    env: { ...process.env, CODEX_HOME: home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const seen: AppNotification[] = [];
  const problems: unknown[] = [];
  const client = new AppClient(jsonLinesTransport(child.stdout, child.stdin), {
    requests,
    onNotification: (notification) => seen.push(notification),
    onProblem: (problem) => problems.push(problem),
  });
  const hello = () =>
    client.initialize({ clientInfo: { name: "turnkit", version: "1" }, capabilities: { experimentalApi: true } });
  return { client, seen, problems, exited, hello };
}

const options = [
  { label: "Red", description: "warm" },
  { label: "Blue", description: "cold" },
];
const question = { questions: [{ id: "color", header: "Color", question: "Which?", options }] };
const text = (words: string) => [{ type: "text" as const, text: words }];

it("thread, question, steer, approval, resume", { timeout: 120_000 }, async () => {
  await using model = await startScriptedModel();
  const home = mkdtempSync(join(tmpdir(), "turnkit-peer-"));
  const cwd = mkdtempSync(join(tmpdir(), "turnkit-peer-work-"));
  writeFileSync(
    join(home, "config.toml"),
    `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.scripted]
name = "scripted"
base_url = "${model.url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
  );
  const asked: string[] = [];
  const requests: ServerRequestHandlers = {
    "item/tool/requestUserInput": ({ questions }) => {
      asked.push("question");
      return { answers: Object.fromEntries(questions.map(({ id }) => [id, { answers: ["Blue"] }])) };
    },
    "item/commandExecution/requestApproval": ({ command }) => {
      asked.push(`approval of ${command}`);
      return { decision: "accept" };
    },
  };
  const first = launch(home, requests);
  await first.hello();
  const { thread } = await first.client.request("thread/start", { cwd });
  const finished = (id: string) => first.client.next("turn/completed", ({ turn }) => turn.id === id);

  model.push({ items: [functionCall("request_user_input", question, "call_ask")] }, { items: [message("asked")] });
  const plan = await first.client.request("turn/start", {
    threadId: thread.id,
    input: text("ask"),
    collaborationMode: {
      mode: "plan",
      settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
    },
  });
  expect((await finished(plan.turn.id)).turn.status).toBe("completed");
  expect(JSON.stringify(model.calls.at(-1)?.body)).toContain(
    '{\\"answers\\":{\\"color\\":{\\"answers\\":[\\"Blue\\"]}}}',
  );

  model.push({ items: [message("held")], hold: true }, { items: [message("steered")] });
  const { turn } = await first.client.request("turn/start", { threadId: thread.id, input: text("go") });
  await expect.poll(() => model.held, { timeout: 30_000 }).toBe(1);
  const steer = await first.client.request("turn/steer", {
    threadId: thread.id,
    expectedTurnId: turn.id,
    input: text("also"),
  });
  expect(steer.turnId).toBe(turn.id);
  const end = finished(turn.id);
  model.release();
  expect((await end).turn.items).toMatchObject([{ type: "agentMessage", text: "steered" }]);

  model.push(
    { items: [functionCall("exec_command", { cmd: "echo approved" }, "call_run")] },
    { items: [message("ran")] },
  );
  const ran = await first.client.request("turn/start", {
    threadId: thread.id,
    input: text("run"),
    approvalPolicy: "untrusted",
  });
  expect((await finished(ran.turn.id)).turn.status).toBe("completed");
  expect(asked).toEqual(["question", "approval of /bin/bash -lc 'echo approved'"]);
  await first.client.close();
  expect(await first.exited).toBe(0);
  expect(first.problems).toEqual([]);

  const second = launch(home, {});
  await second.hello();
  const resumed = await second.client.request("thread/resume", { threadId: thread.id });
  expect(resumed.thread.turns).toHaveLength(3);
  await second.client.close();
  expect(await second.exited).toBe(0);
  expect(second.problems).toEqual([]);
});
