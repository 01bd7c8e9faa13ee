import { askAndWait, askUser, question } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const variants = {
    subset: { result: { answers: { color: { answers: ["Blue"] } } } },
    "unknown-id": { result: { answers: { zzz: { answers: ["x"] }, aaa: { answers: [] } } } },
    "empty-map": { result: { answers: {} } },
    "empty-answers-array": { result: { answers: { color: { answers: [] } } } },
    "extra-fields": { result: { answers: { color: { answers: ["Blue"], note: "n" } }, foo: 1 } },
    "not-an-option": { result: { answers: { color: { answers: ["Chartreuse", "two"] } } } },
    unicode: { result: { answers: { color: { answers: ['é"\\\n<&>'] } } } },
    "rpc-error": { error: { code: -32000, message: "user went away" } },
    "rpc-error-turn-transition": {
      error: {
        code: -1,
        message: "client request resolved because the turn state was changed",
        data: { reason: "turnTransition" },
      },
    },
    "malformed-result-string": { result: "nope" },
    "malformed-missing-answers": { result: {} },
    "malformed-answers-array": { result: { answers: [] } },
    "malformed-answer-string": { result: { answers: { color: "Blue" } } },
    "malformed-null": { result: null },
  };
  for (const [label, value] of Object.entries(variants)) {
    scene.note(label);
    const threadId = await client.thread();
    try {
      const asked = await askAndWait(client, threadId, [
        askUser(scene, { questions: [question(), question("size")] }, `call_${label}`),
      ]);
      client.send({ id: asked.request.id, ...value });
      const completed = await asked.done().catch(() => undefined);
      await scene.sleep(100);

      if (!completed) {
        await client.request("turn/interrupt", { threadId, turnId: asked.turnId });
        await scene.sleep(300);
        scene.model.clear();
      }
    } catch {
      // A question that never came is a difference in the streams.
    }
  }
}
