import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { textInput, textItem } from "../input-case.mjs";
import { png } from "../media.mjs";

const unknownThread = "01a22db4-eb18-7a30-b419-aa902ae17000";
const noRollout = "/no/such/rollout.jsonl";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const { thread } = await client.ok("thread/start", { cwd: scene.cwd });
  const threadId = thread.id;
  await client.request("thread/read", { threadId, includeTurns: true });
  await client.request("thread/list", {});

  const picture = path.join(scene.cwd, "pic.png");
  writeFileSync(picture, png(4, 3));
  scene.model.push({ items: [scene.reasoning("sum", "raw"), scene.message("answer one")] });
  const elements = [{ byteRange: { start: 0, end: 5 }, placeholder: "F" }];
  const input = [textItem("first $x", elements), { type: "localImage", path: picture }];
  const first = await client.turn(threadId, input, { clientUserMessageId: "cid1" });
  scene.model.push(
    scene.respond(scene.functionCall("exec_command", { cmd: "echo out" }, "call_e")),
    scene.say("answer two"),
  );
  await client.turn(threadId, "second");
  rmSync(picture);
  scene.model.push(scene.say("answer three"));
  await client.turn(threadId, "third after image deleted");

  await client.request("thread/read", { threadId });
  await client.request("thread/read", { threadId, includeTurns: true });
  await client.request("thread/read", { threadId: unknownThread });
  await client.request("thread/read", { threadId: "nope" });
  await client.request("thread/read", {});
  await client.request("thread/turns/list", { threadId });
  await client.request("thread/list", {});
  await client.request("thread/list", { limit: 1 });
  await client.request("thread/list", { cwd: "/nope" });
  await client.request("thread/loaded/list", {});
  await client.request("thread/resume", { threadId });
  await client.stop();

  await inSecondServer(scene, threadId, first.turnId);

  const third = await scene.start({ config: false });
  await third.init();
  await third.request("thread/resume", { threadId: "ignored", path: thread.path });
  await third.request("thread/resume", { threadId: unknownThread, path: thread.path });
  await third.request("thread/list", {});
}

async function inSecondServer(scene, threadId, firstTurnId) {
  const second = await scene.start({ config: false });
  await second.init();
  await second.request("thread/read", { threadId, includeTurns: true });
  await second.request("turn/start", { threadId, input: textInput("x") });
  await second.request("thread/resume", { threadId });
  await scene.sleep(300);
  scene.model.push(scene.say("resumed answer"));
  await second.turn(threadId, "after resume");
  await second.request("thread/resume", { threadId: unknownThread });
  await second.request("thread/resume", { threadId: "zzz" });
  const otherThread = threadId.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  await second.request("thread/resume", { threadId: otherThread, path: noRollout });
  await second.request("thread/resume", { threadId, path: noRollout });

  const fork = await second.request("thread/fork", { threadId });
  const forkedThread = fork.result?.thread.id;
  if (forkedThread) {
    scene.model.push(scene.say("forked answer"));
    await second.turn(forkedThread, "in the fork");
  }
  await second.request("thread/fork", { threadId, lastTurnId: firstTurnId });
  await second.request("thread/fork", { threadId, lastTurnId: "nope" });
  await second.request("thread/rollback", { threadId, numTurns: 1 });
  await second.request("thread/archive", { threadId });
  await second.request("thread/unarchive", { threadId });
  await second.request("thread/unsubscribe", { threadId });
  await second.stop();
}
