import { writeFileSync } from "node:fs";
import path from "node:path";

export async function run(scene) {
  const script = path.join(scene.home, "ups.mjs");
  writeFileSync(script, "console.log(JSON.stringify({decision:'block',reason:'nope'}))");
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: `node ${script}` }] }] };
  writeFileSync(path.join(scene.home, "hooks.json"), JSON.stringify({ hooks }));

  const client = await scene.start();
  await client.init();
  const listed = await client.ok("hooks/list", { cwds: [scene.cwd] });
  const { key, currentHash } = listed.data[0].hooks[0];
  const threadId = await client.thread();
  scene.model.push(scene.say("ran"));
  await client.turn(threadId, "hi");
  await client.stop();

  const tables = `[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`;
  const trusting = await scene.start({ config: { tables } });
  await trusting.init();
  await trusting.request("hooks/list", { cwds: [scene.cwd] });
  const trustedThread = await trusting.thread();
  scene.model.clear();
  scene.model.push(scene.say("ran"));
  await trusting.turn(trustedThread, "hi");
}
