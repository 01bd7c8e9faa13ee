import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push({ items: [scene.message("one")], hold: true }, scene.say("two"), scene.say("three"));
  await client.request("turn/start", { threadId, input: textInput("first") });
  await scene.model.waitForHold();
  await client.request("turn/start", { threadId, input: textInput("second"), clientUserMessageId: "c2" });
  await client.request("turn/start", { threadId, input: [] });

  await scene.sleep(200);
  scene.model.release();
  await client.waitFor("turn/completed");
  await scene.sleep(500);
}
