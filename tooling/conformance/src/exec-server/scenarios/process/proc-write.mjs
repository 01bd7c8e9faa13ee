import { setTimeout as sleep } from "node:timers/promises";
import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const w = (processId, s, writeId, o = {}) =>
    client.request("process/write", { processId, chunk: b64(s), writeId, ...o });
  await client.request("process/start", processParams("cat", ["cat"], { pipeStdin: true }));
  await w("cat", "first\n", "w1");
  await w("cat", "DUP\n", "w1");
  await w("cat", "second\n", "w2");
  await w("cat", "", "w3");
  await w("cat", "third\n", "w3");
  await w("cat", "fourth\n", "w4");
  await sleep(150);
  scene.note("cat received", client.output("cat").toString());
  await w("nope", "x", "w1");
  await w("cat", "x", "");
  await client.request("process/write", { processId: "cat", chunk: b64("x") });
  await client.request("process/write", { processId: "cat", writeId: "z" });
  await client.request("process/write", { processId: "cat", chunk: b64("x"), writeId: null });
  await client.request("process/write", { processId: "cat", chunk: b64("x"), writeId: 5 });
  await client.request("process/write", { processId: "nope", chunk: b64("x"), writeId: "" });
  for (const ch of ["!!!!", "YQ", "YQ=", "YQ==\n", "YR==", "YWI_", "", null, 5])
    await client.request("process/write", { processId: "cat", chunk: ch, writeId: `c${ch}` });
  await sleep(100);
  scene.note("cat received", client.output("cat").toString());
  await client.request("process/write", {
    processId: "cat",
    chunk: b64(`${"x".repeat(1000)}\n`),
    writeId: "L".repeat(100000),
  });
  await sleep(150);
  await client.request("process/terminate", { processId: "cat" });
  await client.waitForClosed("cat");
  await w("cat", "x", "after-exit");
  await w("cat", "x", "w1");
  await client.request("process/start", processParams("nostdin", "sleep 2"));
  await w("nostdin", "x", "w1");
  await client.request("process/terminate", { processId: "nostdin" });
  await client.waitForClosed("nostdin");
  await w("nostdin", "x", "w9");
  await client.request("process/start", processParams("tty", ["cat"], { tty: true }));
  await w("tty", "q\n", "w1");
  await w("tty", "q\n", "w1");
  await sleep(150);
  scene.note("tty out", client.output("tty").toString());
  await w("tty", "\x04", "w2");
  await client.waitForClosed("tty");
  await w("tty", "x", "w3");
  await w("tty", "x", "w1");
  // reader closes its stdin, process stays alive
  await client.request(
    "process/start",
    processParams("closer", "exec 0<&-; echo closed; sleep 1", { pipeStdin: true }),
  );
  await client.waitForOutput("closer");
  await w("closer", "x\n", "1");
  await sleep(100);
  await w("closer", "x\n", "2");
  await sleep(100);
  await w("closer", "x\n", "3");
  await client.waitForClosed("closer");
  // pipelined write before start is answered
  const p1 = client.request("process/start", processParams("race", ["cat"], { pipeStdin: true }));
  const p2 = w("race", "x\n", "1");
  await p1;
  await p2;
  await sleep(100);
  await client.request("process/terminate", { processId: "race" });
  await client.waitForClosed("race");
  // there is no EOF operation
  await client.request("process/closeStdin", { processId: "cat" });
}
