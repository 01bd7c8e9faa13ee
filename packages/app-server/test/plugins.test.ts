/** A plugin installed by another program of the same layout: it is listed, its skills are there, the model hears of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { message } from "@turnkit/core/scripted-model";
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
