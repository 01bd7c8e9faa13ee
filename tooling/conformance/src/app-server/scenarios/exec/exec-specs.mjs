import { approvalConfig } from "../approval-case.mjs";
export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push(scene.say("x"));
  await client.turn(threadId, "hi");

  await client.stop();
  const second = await scene.start({
    config: approvalConfig("on-request", "workspace-write"),
  });
  await second.init();
  const secondThread = await second.thread();
  scene.model.push(scene.say("x"));
  await second.turn(secondThread, "hi");
}
