// A command of the person's, items handed in, metadata: with and without a running turn.
import { textItem } from "../input-case.mjs";

const message = (text, role = "user") => ({ type: "message", role, content: [{ type: "input_text", text }] });

export async function run(scene) {
  let client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const completed = async (act) => {
    const from = client.mark();
    await act();
    await client.waitFor("turn/completed", { from });
    await scene.sleep(200);
  };
  scene.model.push(scene.say("answer one"));
  await client.turn(threadId, "first");
  await completed(() => client.request("thread/shellCommand", { threadId, command: "printf hi; exit 3" }));
  await client.request("thread/shellCommand", { threadId, command: "  " });
  await client.request("thread/inject_items", { threadId, items: [message("injected")] });
  await client.request("thread/inject_items", { threadId, items: [] });
  scene.model.push({ ...scene.say("held"), hold: true }, scene.say("answer two"));
  await completed(async () => {
    await client.request("turn/start", { threadId, input: [textItem("second")] });
    await scene.model.waitForHold();
    await client.request("thread/inject_items", { threadId, items: [message("meanwhile", "developer")] });
    const ended = client.waitFor("item/completed");
    await client.request("thread/shellCommand", { threadId, command: "printf there" });
    await ended;
    await scene.sleep(200);
    scene.model.release();
  });
  await completed(async () => {
    const from = client.mark();
    await client.request("thread/shellCommand", { threadId, command: "sleep 30" });
    const { params } = await client.waitFor("item/started", { from });
    await scene.sleep(200);
    await client.request("turn/interrupt", { threadId, turnId: params.turnId });
  });

  const update = (params) => client.request("thread/metadata/update", { threadId, ...params });
  await update({ gitInfo: { sha: "abc", branch: " main ", originUrl: "git@x:y" } });
  await update({ gitInfo: { branch: null } });
  await update({ gitInfo: {} });
  await update({ gitInfo: null });
  await update({ gitInfo: { branch: "" } });
  await update({ projectId: "p" });
  await client.request("thread/search", { searchTerm: " " });
  await client.request("thread/backgroundTerminals/terminate", { threadId, processId: "abc" });
  await client.request("thread/rollback", { threadId, numTurns: 0 });
  await client.stop();
  client = await scene.start({ config: false });
  await client.init();
  await client.request("thread/read", { threadId });
  await client.request("thread/resume", { threadId });
  scene.model.push(scene.say("answer three"));
  await client.turn(threadId, "third");
}
