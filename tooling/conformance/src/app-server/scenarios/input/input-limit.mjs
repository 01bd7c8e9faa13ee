import { inputCase, textItem } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const limit = 1 << 20;
  await inputCase(client, "limit-exact", [textItem("a".repeat(limit))]);
  await inputCase(client, "limit-plus-1", [textItem("a".repeat(limit + 1))]);
  await inputCase(client, "limit-sum-plus-1", [textItem("a".repeat(limit / 2)), textItem("b".repeat(limit / 2 + 1))]);
  await inputCase(client, "limit-multibyte-exact", [textItem("é".repeat(limit))]);
  await inputCase(client, "limit-astral-over", [textItem("😀".repeat(limit + 1))]);
  await inputCase(client, "limit-astral-half", [textItem("😀".repeat(limit / 2 + 1))]);
  const threadId = await inputCase(client, "limit-then-ok", [textItem("fine")]);
  scene.model.push({ items: [scene.message("steer target")], hold: true });
  const started = await client.request("turn/start", { threadId, input: [textItem("go")] });
  await scene.model.waitForHold();
  await client.request("turn/steer", {
    threadId,
    expectedTurnId: started.result.turn.id,
    input: [textItem("a".repeat(limit + 1))],
  });
  scene.model.release();
  await client.waitFor("turn/completed");
}
