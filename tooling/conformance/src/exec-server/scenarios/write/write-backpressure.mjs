import { setTimeout as sleep } from "node:timers/promises";
import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  await client.request("process/start", processParams("stall", "sleep 3; wc -c", { pipeStdin: true }));
  client.quiet = true;
  let done = 0;
  const chunk = b64("x".repeat(16384));
  const writes = [];
  for (let i = 0; i < 400; i++) {
    writes.push(
      client.request("process/write", { processId: "stall", chunk, writeId: `k${i}` }, { timeout: 8000 }).then((r) => {
        done++;
        return r;
      }),
    );
  }
  await sleep(800);
  scene.note("writes of 16 KiB answered while the reader sleeps", done);
  await sleep(200);
  const st = await client.request("environment/status", {}, { timeout: 1000 });
  scene.note("another request meanwhile (concurrency 1)", st._timeout ? "waits" : st.result);
  const answers = await Promise.all(writes);
  const h = {};
  for (const r of answers) {
    const s = JSON.stringify(r.result ?? r.error ?? r);
    h[s] = (h[s] || 0) + 1;
  }
  scene.note("finally", h);
  await client.request("process/terminate", { processId: "stall" });
}
