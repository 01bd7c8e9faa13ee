import { planMode } from "../modes.mjs";
import { askAndWait, askUser, question, unaskedCase } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const planParams = { collaborationMode: planMode };
  const bad = {
    "missing-options": { questions: [{ id: "a", header: "h", question: "q?" }] },
    "empty-options": { questions: [{ id: "a", header: "h", question: "q?", options: [] }] },
    "null-options": { questions: [{ id: "a", header: "h", question: "q?", options: null }] },
    "second-missing-options": { questions: [question(), { id: "b", header: "h", question: "q?" }] },
    "missing-id": { questions: [{ header: "h", question: "q?", options: [{ label: "a", description: "b" }] }] },
    "missing-header": { questions: [{ id: "a", question: "q?", options: [{ label: "a", description: "b" }] }] },
    "missing-question": { questions: [{ id: "a", header: "h", options: [{ label: "a", description: "b" }] }] },
    "option-missing-description": { questions: [{ id: "a", header: "h", question: "q?", options: [{ label: "a" }] }] },
    "no-questions-key": {},
    "questions-string": { questions: "x" },
    "not-json": "not json",
    "empty-args": "",
    "array-args": "[]",
    truncated: '{"questions":[',
    "unknown-top-field": { questions: [{ id: "a", header: "h", question: "q?" }], bogus: 1 },
  };
  for (const [label, value] of Object.entries(bad))
    await unaskedCase(client, threadId, label, [askUser(scene, value, `call_${label}`)], planParams);
  // these get through
  for (const [label, value] of Object.entries({
    "zero-questions": { questions: [] },
    "five-questions": { questions: [1, 2, 3, 4, 5].map((i) => question(`q${i}`)) },
    "dup-ids": { questions: [question("a"), question("a")] },
    "one-option": { questions: [question("a", { options: [{ label: "only", description: "" }] })] },
    flags: {
      questions: [question("a", { isOther: false, isSecret: true, header: "A very long header exceeding twelve" })],
    },
    "snake-flags": { questions: [question("a", { is_other: false, is_secret: true })] },
    "auto-resolution": { questions: [question("a")], autoResolutionMs: 60000, isBlocking: false },
    "unknown-fields": { questions: [question("a", { zork: 1 })], bogus: 1 },
  })) {
    scene.note(label);
    try {
      const asked = await askAndWait(client, threadId, [askUser(scene, value, `call_${label}`)], planParams);
      client.send({ id: asked.request.id, result: { answers: { a: { answers: ["ok"] } } } });
      await asked.done();
    } catch (_e) {
      scene.model.clear();
    }
  }
}
