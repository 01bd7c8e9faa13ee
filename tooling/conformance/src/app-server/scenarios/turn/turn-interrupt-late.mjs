export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push(scene.say("a"));
  const { turnId } = await client.turn(threadId, "one");
  const answered = client.request("turn/interrupt", { threadId, turnId }, 6000).catch(() => {});
  await Promise.race([answered, scene.sleep(1500)]);
  await client.request("turn/interrupt", { threadId, turnId: "zzz" }, 1500).catch(() => {});
  scene.model.push(scene.say("b"));
  await client.turn(threadId, "two");
  await answered;
  await client.request("turn/interrupt", { threadId, turnId: "" }, 1500).catch(() => {});
  await client.request("turn/interrupt", { threadId }, 1500).catch(() => {});
}
