/** A plugin installed by another program of the same layout: it is listed, its skills are there, the model hears of it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { expect, it } from "vitest";
import { connect, folders, text } from "./composed-server.js";

function put(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function pluginFolder(folder: string): void {
  put(join(folder, ".codex-plugin/plugin.json"), { name: "plug", version: "0.1.0", keywords: ["a"] });
  put(join(folder, "skills/dance/SKILL.md"), "---\nname: dance\ndescription: A dance.\n---\nDo it.\n");
}

const FAULT_SERVER = fileURLToPath(new URL("../../core/test/mcp-fault-server.mjs", import.meta.url));
const INSTALLED = `[plugins."plug@market"]\nenabled = true\n`;

it("an installed plugin is listed, gives its skills, and the model hears of it when it is mentioned", async () => {
  await using place = await folders(`${INSTALLED}[marketplaces.market]\nsource_type = "local"\nsource = "market"`);
  const market = join(place.home, "market");
  pluginFolder(join(market, "plugins/plug"));
  pluginFolder(join(place.home, "plugins/cache/market/plug/0.1.0"));
  put(join(market, ".agents/plugins/marketplace.json"), {
    name: "market",
    plugins: [
      { name: "plug", source: { source: "local", path: "./plugins/plug" }, category: "Coding" },
      { name: "other", source: { source: "local", path: "./plugins/other" }, policy: { authentication: "ON_USE" } },
    ],
  });
  await using server = await connect(place);
  const list = await server.ok("plugin/list", { cwds: [place.cwd, market] });
  expect(list.marketplaceLoadErrors).toEqual([]);
  expect(list.marketplaces).toHaveLength(1);
  expect(list.marketplaces[0]).toMatchObject({
    name: "market",
    path: join(market, ".agents/plugins/marketplace.json"),
    plugins: [
      {
        id: "plug@market",
        localVersion: "0.1.0",
        source: { type: "local", path: join(market, "plugins/plug") },
        installed: true,
        enabled: true,
        installPolicy: "AVAILABLE",
        authPolicy: "ON_INSTALL",
        interface: { category: "Coding", capabilities: [], displayName: null },
        keywords: ["a"],
      },
      { id: "other@market", installed: false, enabled: false, authPolicy: "ON_USE" },
    ],
  });
  const { data } = await server.ok("skills/list", { cwds: [place.cwd] });
  expect(data[0].skills).toMatchObject([{ name: "plug:dance", pluginId: "plug@market", scope: "user" }]);

  const thread = await server.thread();
  const ask = async (input: unknown[]) => {
    place.model.push({ items: [message("ok")] });
    const { turn } = await server.ok("turn/start", { threadId: thread, input });
    expect((await server.completed(turn.id)).params.turn.status).toBe("completed");
  };
  await ask([...text("use it"), { type: "mention", name: "plug", path: "plugin://plug@market" }]);
  await ask(text("use [@plug](plugin://plug@market) and $plug:dance"));
  await ask([...text("go"), { type: "mention", name: "zz", path: "plugin://zz@market" }]);
  const body = place.model.calls.at(-1)?.body as { input: { role?: string; content?: { text?: string }[] }[] };
  const told = body.input.flatMap(({ role, content }) => (content ?? []).map((part) => `${role}: ${part.text ?? ""}`));
  const after = told.slice(told.indexOf("user: use it")).map((each) => each.split("\n")[0]);
  const hint = "developer: Capabilities from the `plug` plugin:";
  const skill = "user: <skill>";
  expect(after).toEqual([
    ...["user: use it", hint, "assistant: ok"],
    ...["user: use [@plug](plugin://plug@market) and $plug:dance", skill, hint, "assistant: ok"],
    "user: go",
  ]);
});

it("a plugin whose marketplace is gone is listed by what is installed; with the feature off there is none", async () => {
  for (const feature of [true, false]) {
    await using place = await folders(`${INSTALLED}[features]\nplugins = ${feature}`);
    pluginFolder(join(place.home, "plugins/cache/market/plug/0.1.0"));
    await using server = await connect(place);
    const { marketplaces } = await server.ok("plugin/list", {});
    expect(
      marketplaces.map(({ name, path, plugins }: { name: string; path: null; plugins: { id: string }[] }) => [
        name,
        path,
        plugins[0]?.id,
      ]),
    ).toEqual(feature ? [["market", null, "plug@market"]] : []);
  }
});

it("an installed plugin's MCP server runs, bears its name, and what is agreed to is kept with the plugin", async () => {
  await using place = await folders(INSTALLED);
  const folder = join(place.home, "plugins/cache/market/plug/0.1.0");
  put(join(folder, ".codex-plugin/plugin.json"), { name: "plug" });
  put(join(folder, ".mcp.json"), {
    mcpServers: {
      fault: { command: process.execPath, args: [FAULT_SERVER] },
      broken: { command: "/nonexistent/program" },
    },
  });
  await using server = await connect(place);
  const threadId = await server.thread({ approvalPolicy: "on-request" });
  place.model.push({ items: [functionCall("mcp__fault__steps", {}, "c1")] }, { items: [message("done")] });
  const mention = { type: "mention", name: "plug", path: "plugin://plug@market" };
  const { turn } = await server.ok("turn/start", { threadId, input: [...text("go"), mention] });
  const { id, params } = await server.client.notification("mcpServer/elicitation/request");
  expect(params._meta.tool_description).toBe("does steps. This tool is part of plugin `plug`.");
  server.client.send({ id, result: { action: "accept", content: {}, _meta: { persist: "always" } } });
  await server.completed(turn.id);
  expect(JSON.stringify(place.model.calls[0]?.body)).toContain(
    "plugin:\\n- MCP servers from this plugin available in this session: `fault`.\\nUse",
  );
  const items = server.client.seen.flatMap(({ params }) => (params?.item?.type === "mcpToolCall" ? params.item : []));
  expect(items.map(({ pluginId, status }) => [pluginId, status])).toEqual([
    ["plug@market", "inProgress"],
    ["plug@market", "completed"],
  ]);
  // A server that has failed is not started once more for a mention of its plugin.
  const told = server.client.seen.filter(({ method }) => method === "mcpServer/startupStatus/updated");
  expect(told.filter(({ params }) => params.name === "broken").map(({ params }) => params.status)).toEqual([
    "starting",
    "failed",
  ]);
  const { data } = await server.ok("mcpServerStatus/list", { threadId });
  expect(data.map(({ name, pluginId }: { name: string; pluginId: string }) => [name, pluginId])).toEqual([
    ["broken", "plug@market"],
    ["fault", "plug@market"],
  ]);
  expect(readFileSync(join(place.home, "config.toml"), "utf8")).toContain(
    '[plugins."plug@market".mcp_servers.fault.tools.steps]\napproval_mode = "approve"',
  );
});
