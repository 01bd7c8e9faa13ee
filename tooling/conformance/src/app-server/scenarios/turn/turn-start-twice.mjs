import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push({ items: [scene.message("x")], hold: true }, scene.say("y"));
  await Promise.all([
    client.request("turn/start", { threadId, input: textInput("one") }),
    client.request("turn/start", { threadId, input: textInput("two") }),
  ]);
  await scene.model.waitForHold();
  await scene.sleep(300);
  scene.model.releaseAll();
  await scene.sleep(1500);
}
