import fs from "node:fs";
import path from "node:path";
import { inputCase, textItem } from "../input-case.mjs";

export async function run(scene) {
  const market = path.join(scene.cwd, "market"),
    plugin = path.join(market, "plugins", "plug");
  fs.mkdirSync(path.join(market, ".agents/plugins"), { recursive: true });
  fs.mkdirSync(path.join(plugin, ".codex-plugin"), { recursive: true });
  fs.mkdirSync(path.join(plugin, "skills/dance"), { recursive: true });
  fs.writeFileSync(
    path.join(market, ".agents/plugins/marketplace.json"),
    JSON.stringify({
      name: "market",
      plugins: [
        {
          name: "plug",
          source: { source: "local", path: "./plugins/plug" },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Coding",
        },
      ],
    }),
  );
  fs.writeFileSync(
    path.join(plugin, ".codex-plugin/plugin.json"),
    JSON.stringify({ name: "plug", version: "0.1.0", description: "Probe plugin", skills: "./skills/" }),
  );
  fs.writeFileSync(
    path.join(plugin, "skills/dance/SKILL.md"),
    "---\nname: dance\ndescription: A dancing skill.\n---\n# Dance\nDo it.\n",
  );
  const client = await scene.start({ config: { features: { plugins: true } } });
  await client.init();
  await client.request("marketplace/add", { source: market }).catch(() => {});
  await client.request("plugin/list", { cwds: [scene.cwd] }, 15000).catch(() => {});
  await client
    .request(
      "plugin/install",
      { marketplacePath: path.join(market, ".agents/plugins/marketplace.json"), pluginName: "plug" },
      15000,
    )
    .catch(() => {});
  await inputCase(client, "plugin-mention", [
    textItem("use it"),
    { type: "mention", name: "plug", path: "plugin://plug@market" },
  ]);
  await inputCase(client, "plugin-text-mention", [textItem("use [@plug](plugin://plug@market) now")]);
  await inputCase(client, "plugin-unknown", [
    textItem("use it"),
    { type: "mention", name: "zz", path: "plugin://zz@market" },
  ]);
  await inputCase(client, "plugin-skill", [textItem("use $plug:dance")]);
}
