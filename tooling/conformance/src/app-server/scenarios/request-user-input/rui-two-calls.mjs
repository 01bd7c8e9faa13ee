import { textInput } from "../input-case.mjs";
import { planMode } from "../modes.mjs";
import { askUser, question, questionMethod } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push(
    scene.respond(
      askUser(scene, { questions: [question("first")] }, "call_two_a"),
      askUser(scene, { questions: [question("second")] }, "call_two_b"),
    ),
    scene.say("done"),
  );
  const from = client.mark();
  const started = await client.request("turn/start", {
    threadId,
    input: textInput("two"),
    collaborationMode: planMode,
  });
  await client.waitFor((message) => message.method === questionMethod, { from });
  await scene.sleep(700);
  const early = client.seen.slice(from).filter((message) => message.method === questionMethod);
  scene.note("answer the first-issued request");
  client.send({ id: early[0].id, result: { answers: { first: { answers: ["A1"] } } } });
  await scene.sleep(700);
  const all = client.seen.slice(from).filter((message) => message.method === questionMethod);
  if (all[1]) client.send({ id: all[1].id, result: { answers: { second: { answers: ["B2"] } } } });
  const completed = await client.waitFor("turn/completed", { from, ms: 6000 }).catch(() => undefined);

  if (!completed) {
    await client.request("turn/interrupt", { threadId, turnId: started.result.turn.id });
    await scene.sleep(300);
  }
}
