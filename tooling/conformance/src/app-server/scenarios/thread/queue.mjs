// Submissions that wait: changed, ordered, refused, sent one after the other, held back after an interruption.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { textItem } from "../input-case.mjs";
import { png } from "../media.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  const add = (input, clientUserMessageId) =>
    client.request("thread/queue/add", { threadId, input, clientUserMessageId });
  const idOf = (answer) => answer.result.queuedSubmission.id;
  const list = (params = {}) => client.request("thread/queue/list", { threadId, ...params });

  scene.model.push({ ...scene.say("held"), hold: true });
  await client.request("turn/start", { threadId, input: [textItem("first")] });
  await scene.model.waitForHold();
  const one = idOf(await add([textItem("one")], "c1"));
  const two = idOf(await add([textItem("two")], "c2"));
  await scene.sleep(100);
  await list();
  await list({ limit: 1 });
  await list({ limit: 0, cursor: "1" });
  await list({ cursor: "bogus" });
  await client.request("thread/queue/update", {
    threadId,
    queuedSubmissionId: one,
    input: [textItem("one changed")],
  });
  await client.request("thread/queue/update", { threadId, queuedSubmissionId: "nope", input: [textItem("x")] });
  await client.request("thread/queue/reorder", { threadId, queuedSubmissionIds: [two, one] });
  await scene.sleep(100);
  await client.request("thread/queue/reorder", { threadId, queuedSubmissionIds: [two, two] });
  await client.request("thread/queue/start", { threadId });
  await client.request("thread/queue/start", { threadId, queuedSubmissionId: "nope" });
  await client.request("thread/queue/delete", { threadId, queuedSubmissionId: "nope" });
  await add([], "c");
  await add([{ type: "image", url: "https://example.com/a.png" }], "c");
  await add([{ type: "localImage", path: "/no/such.png" }], "c");
  await add([{ type: "localAudio", path: "/no/such.txt" }], "c");
  const picture = path.join(scene.cwd, "pic.png");
  writeFileSync(picture, png(4, 3));
  const kept = idOf(
    await add(
      [
        { type: "localImage", path: picture },
        { type: "mention", name: "m", path: "app://m" },
      ],
      "c",
    ),
  );
  await scene.sleep(100);
  await client.request("thread/queue/delete", { threadId, queuedSubmissionId: kept });
  await scene.sleep(100);

  const from = client.mark();
  scene.model.push(scene.say("answer two"), { ...scene.say("held again"), hold: true });
  scene.model.release();
  await scene.model.waitForCall(3);
  await scene.model.waitForHold();
  await add([textItem("left")], "c3");
  const running = client.seen.slice(from).findLast(({ method }) => method === "turn/started");
  await client.request("turn/interrupt", { threadId, turnId: running.params.turn.id });
  await scene.sleep(500);
  await list();
  scene.model.push(scene.say("answer left"));
  const again = client.mark();
  await client.request("thread/queue/start", { threadId });
  await client.waitFor("turn/completed", { from: again });
  await scene.sleep(300);
  await list();
  await client.request("thread/queue/start", { threadId });
  const { thread } = await client.ok("thread/start", { cwd: scene.cwd, ephemeral: true });
  await client.request("thread/queue/list", { threadId: thread.id });
}
