import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push({ items: [scene.message("never")], hold: true });
  await client.request("turn/start", { threadId, input: textInput("go") });
  await scene.model.waitForHold();
  await client.request("turn/interrupt", { threadId, turnId: "" }, 4000).catch(() => {});
  await scene.sleep(500);
  scene.model.releaseAll();
  await scene.sleep(300);
}
