import fs from "node:fs";
import { uri } from "../parameters.mjs";

export async function run(scene) {
  await scene.startServer({ cwd: "/usr", env: { SHELL: "/bin/sh", TMPDIR: "/var/tmp" } });
  const client = await scene.connect();
  await client.request("initialize", { clientName: "d" });
  client.notify("initialized");
  await client.request("environment/info");
  await client.request("environment/status");
  const folder = scene.folder;
  fs.mkdirSync(`${folder}/.codex`);
  fs.writeFileSync(`${folder}/.codex/config.toml`, 'model = "x"\n');
  fs.writeFileSync(`${folder}/req.toml`, "a = 1\n");
  fs.writeFileSync(`${folder}/bad.toml`, "= = =");
  const readConfig = (o) =>
    client.request("environmentConfig/read", { cwd: uri(folder), configPaths: [], requirementsPaths: [], ...o });
  await readConfig({});
  await readConfig({
    configPaths: [uri(`${folder}/.codex/config.toml`)],
    requirementsPaths: [uri(`${folder}/req.toml`)],
  });
  await readConfig({ configPaths: [uri(`${folder}/nope.toml`)] });
  await readConfig({ configPaths: [uri(`${folder}/bad.toml`)] });
  await readConfig({ configPaths: [`${folder}/x`] });
  await client.request("environmentConfig/read", { cwd: uri(folder), configPaths: [] });
  await readConfig({ cwd: uri("/nope") });
  fs.mkdirSync(`${folder}/plug/.codex-plugin`, { recursive: true });
  fs.writeFileSync(`${folder}/plug/.codex-plugin/plugin.json`, '{"name":"plug"}');
  fs.mkdirSync(`${folder}/plug/skills/s1`, { recursive: true });
  fs.writeFileSync(`${folder}/plug/skills/s1/SKILL.md`, "---\nname: s1\ndescription: d\n---\nhi");
  fs.writeFileSync(`${folder}/plug/.mcp.json`, "{}");
  const discover = (roots) => client.request("capabilityRoots/discoverV1", { roots });
  await discover([]);
  await discover([{}]);
  await discover([{ id: "r1" }]);
  await discover([{ id: "r1", path: uri(`${folder}/plug`) }]);
  await discover([{ id: "r2", path: uri(`${folder}/nope`) }]);
  await discover(Array.from({ length: 200 }, (_, i) => ({ id: `r${i}`, path: uri(`${folder}/nope`) })));
}
