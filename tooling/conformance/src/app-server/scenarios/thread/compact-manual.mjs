// A compaction on request, what the next turn sends, what is refused meanwhile, and a resume of all that.
import { textItem } from "../input-case.mjs";

export async function run(scene) {
  // The prompt is configured so that both ask with the same words.
  let client = await scene.start({ config: { top: 'compact_prompt = "Sum it up."' } });
  await client.init();
  const threadId = await client.thread();
  scene.model.push({ items: [scene.message("answer one")] });
  await client.turn(threadId, "first");
  scene.model.push({ items: [scene.reasoning("sum", "raw"), scene.message("answer two")] });
  await client.turn(threadId, "second");
  scene.model.push(scene.say("THE SUMMARY"));
  await compacted(scene, client, threadId);
  scene.model.push(scene.say("answer three"));
  await client.turn(threadId, "third");

  scene.model.push({ ...scene.say("never"), hold: true });
  const from = client.mark();
  await client.request("thread/compact/start", { threadId });
  const { params } = await client.waitFor("turn/started", { from });
  await scene.model.waitForHold();
  const input = [textItem("meanwhile")];
  await client.request("turn/steer", { threadId, expectedTurnId: params.turn.id, input });
  await client.request("turn/start", { threadId, input });
  await client.request("turn/interrupt", { threadId, turnId: params.turn.id });
  await scene.sleep(300);
  scene.model.push({ status: 400, errorBody: { error: { message: "bad thing", code: "bad" } } });
  await compacted(scene, client, threadId);

  await client.stop();
  client = await scene.start({ config: false });
  await client.init();
  await client.request("thread/resume", { threadId });
  scene.model.push(scene.say("answer four"));
  await client.turn(threadId, "fourth");
  await client.request("thread/compact/start", { threadId: "nope" });
  await client.request("thread/compact/start", { threadId: "00000000-0000-7000-8000-000000000000" });
}

async function compacted(scene, client, threadId) {
  const from = client.mark();
  await client.request("thread/compact/start", { threadId });
  await client.waitFor("turn/completed", { from });
  await scene.sleep(200);
}
