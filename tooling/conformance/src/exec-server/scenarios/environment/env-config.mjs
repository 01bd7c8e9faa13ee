import fs from "node:fs";
import { uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const folder = scene.folder;
  fs.mkdirSync(`${folder}/.codex`);
  fs.writeFileSync(`${folder}/.codex/config.toml`, 'model = "x"\n');
  fs.writeFileSync(`${folder}/req.toml`, "a = 1\n");
  fs.writeFileSync(`${folder}/bad.toml`, "= = =");
  const readConfig = (o) =>
    client.request("environmentConfig/read", { cwd: uri(folder), configPaths: [], requirementsPaths: [], ...o });
  await readConfig({ configPaths: [[]] });
  await readConfig({ configPaths: [[uri(`${folder}/.codex/config.toml`)]] });
  await readConfig({
    configPaths: [[uri(`${folder}/nope.toml`), uri(`${folder}/.codex/config.toml`)]],
    requirementsPaths: [[uri(`${folder}/req.toml`)]],
  });
  await readConfig({ configPaths: [[".codex/config.toml"]] });
  await readConfig({ configPaths: [[".codex", "config.toml"], ["nope.toml"]] });
  await readConfig({ requirementsPaths: [["req.toml"]] });
  await readConfig({ configPaths: [["bad.toml"]] });
  await readConfig({ configPaths: [[5]] });
  await readConfig({ configPaths: [[{}]] });
  await readConfig({ configPaths: [["..", "x"]] });
  await readConfig({ cwd: uri("/nope"), configPaths: [["x"]] });
}
