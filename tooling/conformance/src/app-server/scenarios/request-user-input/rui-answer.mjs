import { askAndWait, askUser, question } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const asked = await askAndWait(client, threadId, [
    askUser(scene, { questions: [question(), question("size", { header: "Size", question: "Size?" })] }, "call_rui1"),
  ]);

  await client.request("thread/read", { threadId, includeTurns: true });
  client.send({
    id: asked.request.id,
    result: { answers: { color: { answers: ["Blue"] }, size: { answers: ["Red (Recommended)", "user_note: soon"] } } },
  });
  await asked.done();
  await scene.sleep(200);
}
