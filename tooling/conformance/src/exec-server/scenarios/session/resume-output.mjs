import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { b64, processParams, unb64, uri } from "../parameters.mjs";

export async function run(scene) {
  const first = await scene.initialized("A");
  const sessionId = first.sessionId;
  scene.remember(first.initialized);
  await first.request(
    "process/start",
    processParams("p", "for i in 1 2 3 4 5 6 7 8; do echo tick-$i; sleep 0.2; done; exit 6"),
  );
  await first.request("process/start", processParams("cat", ["cat"], { pipeStdin: true }));
  await first.request("process/write", { processId: "cat", chunk: b64("one\n"), writeId: "1" });
  await first.waitFor((message) => message.method === "process/output" && /tick-3/.test(first.output("p").toString()));
  first.cut();
  await sleep(450);
  const second = await scene.connect("B");
  await second.request("initialize", { clientName: "drive", resumeSessionId: sessionId });
  await sleep(250);
  second.notify("initialized", {});
  await sleep(250);
  scene.note(
    "replayed to B without read (only later output arrives)",
    second.messages
      .filter((message) => message.method === "process/output" && message.params.processId === "p")
      .map((message) => `${message.params.seq}:${unb64(message.params.chunk).toString().trim()}`),
  );
  await second.request("process/read", { processId: "p", afterSeq: 2 });
  await second.request("process/write", { processId: "cat", chunk: b64("DUP\n"), writeId: "1" });
  await second.request("process/write", { processId: "cat", chunk: b64("two\n"), writeId: "2" });
  await second.waitForClosed("p");
  await second.request("process/read", { processId: "p", afterSeq: 0 });
  await second.request("process/read", { processId: "cat" });
  scene.note(
    "cat saw",
    unb64(
      (await second.request("process/read", { processId: "cat" })).result.chunks.map((k) => k.chunk).join(""),
    ).toString(),
  );
  // exits while detached
  await second.request("process/start", processParams("gone", "sleep 0.3; echo late; exit 5"));
  second.cut();
  await sleep(700);
  const third = await scene.connect("C");
  await third.request("initialize", { clientName: "drive", resumeSessionId: sessionId });
  third.notify("initialized", {});
  await sleep(200);
  await third.request("process/read", { processId: "gone", waitMs: 100 });
  // in-flight read when the connection drops
  await third.request("process/start", processParams("slow", "sleep 1; echo x"));
  third.request("process/read", { processId: "slow", waitMs: 5000 });
  await sleep(100);
  third.cut();
  await sleep(100);
  const fourth = await scene.connect("D");
  const t0 = performance.now();
  await fourth.request("initialize", { clientName: "drive", resumeSessionId: sessionId });
  scene.note("resume is immediate", performance.now() - t0 < 300);
  fourth.notify("initialized", {});
  await fourth.request("process/read", { processId: "slow", waitMs: 5000 });
  // fs handles are per connection
  fs.writeFileSync(`${scene.folder}/f`, "data");
  await fourth.request("fs/open", { handleId: "h", path: uri(`${scene.folder}/f`) });
  fourth.cut();
  await sleep(100);
  const fifth = await scene.connect("E");
  await fifth.request("initialize", { clientName: "drive", resumeSessionId: sessionId });
  fifth.notify("initialized", {});
  await fifth.request("fs/readBlock", { handleId: "h", offset: 0, len: 4 });
  await fifth.request("process/terminate", { processId: "cat" });
}
