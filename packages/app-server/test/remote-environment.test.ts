/** A thread whose processes run on an exec-server: named at start, or added by a client. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import { runExecServer } from "@turnkit/exec-server/server";
import { expect, it, vi } from "vitest";
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

/** Stands before the server and counts the connections that it has not ended. */
async function counting(url: string) {
  let open = 0;
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), "127.0.0.1");
    open += 1;
    server.once("end", () => (open -= 1));
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on("error", () => {});
    sockets.push(client, server);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `ws://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    get open() {
      return open;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}

const scripted = (modelUrl: string, top = "") => `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
${top}
[model_providers.scripted]
base_url = "${modelUrl}"
`;

async function remoteServer(home: string, url: string) {
  const server = createInProcessAppServer({
    home,
    env: { ...process.env, TURNKIT_HOME: home, TURNKIT_EXEC_SERVER_URL: url },
  });
  const client = new AppClient(server.transport);
  await client.initialize({ clientInfo: { name: "test", version: "1" }, capabilities: { experimentalApi: true } });
  return { server, client };
}

it("the end of the server waits until processes there are told to end", { timeout: 60_000 }, async () => {
  await using model = await startScriptedModel();
  await using remote = await startRemote();
  await using proxy = await counting(remote.url);
  const home = mkdtempSync(join(tmpdir(), "remote-"));
  writeFileSync(join(home, "config.toml"), scripted(model.url));
  const { server, client } = await remoteServer(home, proxy.url);
  const { thread } = await client.request("thread/start", { cwd: tmpdir() });
  model.push(
    { items: [functionCall("exec_command", { cmd: "sleep 600", login: false, yield_time_ms: 250 }, "call_1")] },
    { items: [message("runs on")] },
  );
  const completed = client.next("turn/completed");
  await client.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] });
  await completed;
  expect(proxy.open).toBe(1);
  await server.close();
  expect(proxy.open).toBe(0);
});

it.each([
  ["a prompt that cannot be read", 'experimental_compact_prompt_file = "missing.md"'],
  ["a catalogue that cannot be read", 'model_catalog_json = "missing.json"'],
])("a thread that does not start because of %s leaves no connection", { timeout: 60_000 }, async (_name, top) => {
  await using model = await startScriptedModel();
  await using remote = await startRemote();
  await using proxy = await counting(remote.url);
  const home = mkdtempSync(join(tmpdir(), "remote-"));
  writeFileSync(join(home, "config.toml"), scripted(model.url));
  const { server, client } = await remoteServer(home, proxy.url);
  await using _ = server;
  writeFileSync(join(home, "config.toml"), scripted(model.url, top));
  await expect(client.request("thread/start", { cwd: tmpdir() })).rejects.toThrow("missing.");
  await vi.waitFor(() => expect(proxy.open).toBe(0));
});

it.each(["named at start", "added by the client"])("%s", { timeout: 60_000 }, async (how) => {
  await using model = await startScriptedModel();
  await using remote = await startRemote();
  const home = mkdtempSync(join(tmpdir(), "remote-"));
  writeFileSync(join(home, "config.toml"), scripted(model.url));
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
