import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init({
    clientInfo: { name: "opt", version: "1" },
    capabilities: {
      experimentalApi: false,
      optOutNotificationMethods: ["thread/started", "item/agentMessage/delta", "remoteControl/status/changed"],
    },
  });
  const threadId = await client.thread();
  scene.model.push(scene.say("hello there"));
  await client.turn(threadId, "hi");
  for (const [_label, message, file] of [
    ["exp-method", "collaborationMode/list", {}],
    ["exp-mock", "mock/experimentalMethod", {}],
    ["exp-turns-list", "thread/turns/list", { threadId }],
    ["exp-bgterm", "thread/backgroundTerminals/list", { threadId }],
    ["exp-field-turn", "turn/start", { threadId, input: textInput("x"), additionalContext: {} }],
    ["exp-field-thread", "thread/start", { cwd: scene.cwd, mockExperimentalField: "x" }],
    ["exp-field-resume-path", "thread/resume", { threadId, path: "/x" }],
  ])
    await client.request(message, file);
  await client.stop();
  const second = await scene.start({ config: false });
  await second.init();
  await second.request("collaborationMode/list", {});
  await second.request("model/list", {});
  await second.request("account/read", {});
  await second.request("experimentalFeature/list", {});
}
