import { defaultMode } from "../modes.mjs";
import { askAndWait, askUser, question, unaskedCase } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await unaskedCase(client, threadId, "default-no-feature", [askUser(scene, { questions: [question()] }, "call_d1")]);
  await unaskedCase(client, threadId, "default-explicit", [askUser(scene, { questions: [question()] }, "call_d2")], {
    collaborationMode: defaultMode,
  });
  await unaskedCase(
    client,
    threadId,
    "default-bad-args-too",
    [askUser(scene, { questions: [{ id: "x" }] }, "call_d3")],
    { collaborationMode: defaultMode },
  );
  await unaskedCase(client, threadId, "default-not-json", [askUser(scene, "not json", "call_d4")], {
    collaborationMode: defaultMode,
  });
  await client.stop();
  const second = await scene.start({ config: { features: { default_mode_request_user_input: true } } });
  await second.init();
  const secondThread = await second.thread();
  const asked = await askAndWait(second, secondThread, [askUser(scene, { questions: [question()] }, "call_d5")], {});
  second.send({ id: asked.request.id, result: { answers: {} } });
  await asked.done();
}
