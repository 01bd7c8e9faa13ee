import { planMode } from "../modes.mjs";
import { askAndWait, askUser, question } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const asked = await askAndWait(client, threadId, [askUser(scene, { questions: [question()] }, "call_int")]);

  await client.request("turn/interrupt", { threadId, turnId: asked.turnId });
  await asked.done();
  await scene.sleep(300);

  client.send({ id: asked.request.id, result: { answers: { color: { answers: ["Blue"] } } } });
  await scene.sleep(500);

  scene.model.clear();
  scene.model.push(scene.say("next"));
  await client.turn(threadId, "go on", { collaborationMode: planMode });
}
