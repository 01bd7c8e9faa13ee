export async function run(scene) {
  const client = await scene.start();
  await client.init({ clientInfo: { name: "probe", version: "0.0.1" } });
  const threadId = await client.thread();
  scene.model.push(scene.say("plain"));
  await client.turn(threadId, "hi");
  scene.model.push(scene.say("two"));
  await client.turn(threadId, "again", { clientUserMessageId: "client-msg-1" });
  await client.request("turn/start", {
    threadId,
    input: [{ type: "text", text: "x" }],
    collaborationMode: {
      mode: "plan",
      settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
    },
  });

  await scene.sleep(500);
}
