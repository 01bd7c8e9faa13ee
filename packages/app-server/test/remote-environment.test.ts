/** A thread whose processes run on an exec-server: named at start, or added by a client. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { runExecServer } from "@turnkit/exec-server/server";
import { expect, it } from "vitest";
import { AppClient } from "../src/client/index.js";
import { createInProcessAppServer } from "../src/in-process.js";

async function startRemote() {
  const stop = new AbortController();
  let ended: Promise<number> | undefined;
  const url = await new Promise<string>((resolve) => {
    ended = runExecServer(["--listen", "ws://127.0.0.1:0"], {
      env: process.env,
      writeOut: (text) => {
        const found = /ws:\/\/\S+/.exec(text)?.[0];
        if (found) resolve(found);
      },
      writeError: () => {},
      signal: stop.signal,
    });
  });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

it.each(["named at start", "added by the client"])("%s", { timeout: 60_000 }, async (how) => {
  await using model = await startScriptedModel();
  await using remote = await startRemote();
  const home = mkdtempSync(join(tmpdir(), "remote-"));
  writeFileSync(
    join(home, "config.toml"),
    `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
base_url = "${model.url}"
`,
  );
  const atStart = how === "named at start";
  const env = { ...process.env, TURNKIT_HOME: home, ...(atStart && { TURNKIT_EXEC_SERVER_URL: remote.url }) };
  await using server = createInProcessAppServer({ home, env });
  await using client = new AppClient(server.transport);
  await client.initialize({ clientInfo: { name: "test", version: "1" }, capabilities: { experimentalApi: true } });
  const environmentId = atStart ? "remote" : "builder";
  if (!atStart) await client.request("environment/add", { environmentId, execServerUrl: remote.url });
  expect(await client.request("environment/status", { environmentId })).toEqual({ status: "pending" });
  const { thread } = await client.request("thread/start", {
    cwd: tmpdir(),
    ...(!atStart && { environments: [{ environmentId, cwd: tmpdir() }] }),
  });
  expect(await client.request("environment/status", { environmentId })).toEqual({ status: "ready" });
  model.push(
    { items: [functionCall("exec_command", { cmd: "echo over there", login: false }, "call_1")] },
    { items: [message("done")] },
  );
  const ended = client.next("item/completed", ({ item }) => item.type === "commandExecution");
  const completed = client.next("turn/completed");
  await client.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] });
  expect((await ended).item).toMatchObject({ status: "completed", exitCode: 0, aggregatedOutput: "over there\n" });
  expect((await completed).turn.status).toBe("completed");
  const refused = client.request("turn/start", {
    threadId: thread.id,
    input: [],
    environments: [{ environmentId: "local", cwd: tmpdir() }],
  });
  await expect(refused).rejects.toThrow(`the thread's processes run in environment \`${environmentId}\``);
});
