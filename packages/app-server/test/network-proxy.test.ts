/** `[features] network_proxy`: curl, run by a whole server, reaches a place only after its client said so. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionCall, message, startScriptedModel } from "@turnkit/core/scripted-model";
import type { ThreadItem } from "@turnkit/protocol/app";
import { expect, test } from "vitest";
import { AppClient, type AppNotification } from "../src/client/index.js";
import { createInProcessAppServer } from "../src/in-process.js";

function homeFor(modelUrl: string): string {
  const home = mkdtempSync(join(tmpdir(), "network-"));
  writeFileSync(
    join(home, "config.toml"),
    `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}"
[features]
network_proxy = true
`,
  );
  return home;
}

test.each([
  ["by HTTP", "", "http", "accept"],
  ["by SOCKS 5", "--proxy $ALL_PROXY", "socks5Tcp", "accept"],
  ["by HTTP", "", "http", "decline"],
  ["by SOCKS 5", "--proxy $ALL_PROXY", "socks5Tcp", "decline"],
  ["by HTTP", "", "http", "cancel"],
] as const)("curl %s %s: %s, %s", { timeout: 60_000 }, async (_, options, protocol, decision) => {
  let hits = 0;
  const place = createServer((_request, response) => {
    hits += 1;
    response.end("from outside");
  });
  await new Promise<void>((resolve) => place.listen(0, "127.0.0.1", resolve));
  const { port } = place.address() as AddressInfo;
  await using model = await startScriptedModel();
  const cmd = `curl -s ${options} http://127.0.0.1:${port}/; echo " (curl: $?)"`;
  const call = functionCall("exec_command", { cmd, login: false, yield_time_ms: 30_000 }, "c");
  model.push({ items: [call] }, { items: [message("done")] });
  const asked: unknown[] = [];
  const seen: AppNotification[] = [];
  const server = createInProcessAppServer({ home: homeFor(model.url), env: process.env, log: () => {} });
  const client = new AppClient(server.transport, {
    requests: {
      "item/commandExecution/requestApproval": async (params) => {
        asked.push(params);
        // Denied before it is announced, a command is declined without output.
        await expect.poll(command("item/started"), { timeout: 10_000, interval: 5 }).toBeDefined();
        return { decision };
      },
    },
    onNotification: (notification) => seen.push(notification),
  });
  const of = (method: string) => seen.filter((notification) => notification.method === method);
  const command = (method: string) => () =>
    of(method)
      .map(({ params }) => (params as { item: ThreadItem }).item)
      .find((item) => item.type === "commandExecution");
  const turns = () => of("turn/completed").map(({ params }) => (params as { turn: { status: string } }).turn.status);
  try {
    await client.initialize({ clientInfo: { name: "test", version: "1" }, capabilities: { experimentalApi: true } });
    const { thread } = await client.request("thread/start", {});
    await client.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] });
    const status = decision === "cancel" ? "interrupted" : "completed";
    await expect.poll(turns, { timeout: 30_000, interval: 5 }).toEqual([status]);
    expect(asked).toMatchObject([{ itemId: "c", networkApprovalContext: { host: "127.0.0.1", protocol } }]);
    await expect.poll(command("item/completed"), { timeout: 10_000, interval: 5 }).toBeDefined();
    const ended = command("item/completed")();
    if (decision === "accept") {
      expect(ended).toMatchObject({ status: "completed", aggregatedOutput: "from outside (curl: 0)\n" });
      expect(hits).toBe(1);
    } else {
      expect(ended).toMatchObject({
        status: "failed",
        aggregatedOutput: expect.stringContaining("rejected by user"),
      });
      expect(hits).toBe(0);
    }
    const { data } = await client.request("thread/backgroundTerminals/list", { threadId: thread.id });
    expect(data).toEqual([]);
  } finally {
    await client.close();
    await server.close();
    place.close();
  }
});
