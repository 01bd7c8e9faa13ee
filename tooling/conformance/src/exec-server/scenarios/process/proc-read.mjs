import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  // Each line waits until the one before it has been seen: a busy machine must not join two into one chunk.
  const step = (i) => `printf "line-%s\\n" ${i}; until [ -e ${scene.folder}/${i} ]; do sleep 0.02; done;`;
  const lines = [1, 2, 3, 4, 5, 6];
  await client.request(
    "process/start",
    processParams("r", `${lines.map(step).join(" ")} echo e >&2; sleep 0.3; exit 7`),
  );
  for (const i of lines) {
    await client.waitFor(() => client.output("r").includes(`line-${i}\n`));
    fs.writeFileSync(`${scene.folder}/${i}`, "");
  }
  await client.waitForClosed("r");
  const read = (o) => client.request("process/read", { processId: "r", ...o });
  await read({});
  await read({ afterSeq: 0 });
  await read({ afterSeq: 3 });
  await read({ afterSeq: 6 });
  await read({ afterSeq: 7 });
  await read({ afterSeq: 8 });
  await read({ afterSeq: 9 });
  await read({ afterSeq: 100 });
  await read({ afterSeq: 100, waitMs: 300 });
  await read({ maxBytes: 0 });
  await read({ maxBytes: 1 });
  await read({ maxBytes: 7 });
  await read({ maxBytes: 14 });
  await read({ maxBytes: 20 });
  await read({ maxBytes: 14, afterSeq: 4 });
  await read({ afterSeq: null, maxBytes: null, waitMs: null });
  for (const o of [
    { afterSeq: -1 },
    { afterSeq: 1.5 },
    { afterSeq: "1" },
    { maxBytes: -1 },
    { waitMs: -5 },
    { waitMs: "x" },
    { afterSeq: 18446744073709551615n },
  ]) {
    client.sendRaw(
      JSON.stringify({ id: "bad", method: "process/read", params: { processId: "r", ...o } }, (_k, v) =>
        typeof v === "bigint" ? Number(v) : v,
      ),
    );
    await sleep(60);
  }
  client.sendRaw('{"id":"u64max","method":"process/read","params":{"processId":"r","afterSeq":18446744073709551615}}');
  await sleep(60);
  await client.request("process/read", { processId: "unknown" });
  await client.request("process/read", { processId: "unknown", waitMs: 200 });
  // long poll
  await client.request("process/start", processParams("l", "sleep 0.4; echo a; sleep 0.4; echo b; sleep 0.4; exit 2"));
  const timed = async (label, o) => {
    const t0 = performance.now();
    const r = await client.request("process/read", { processId: "l", ...o });
    const ms = performance.now() - t0;
    scene.note(label, {
      bucketMs: Math.round(ms / 100) * 100,
      chunks: r.result?.chunks?.length,
      nextSeq: r.result?.nextSeq,
      exited: r.result?.exited,
      closed: r.result?.closed,
    });
  };
  await timed("waitMs 0", { waitMs: 0 });
  await timed("waitMs 100", { waitMs: 100 });
  await timed("waitMs 2000 -> a", { waitMs: 2000 });
  await timed("again afterSeq 0 immediate", { waitMs: 2000 });
  await timed("afterSeq 1 -> b", { afterSeq: 1, waitMs: 2000 });
  await timed("afterSeq 2 -> exited", { afterSeq: 2, waitMs: 2000 });
  await timed("afterSeq 3 (exited seen)", { afterSeq: 3, waitMs: 2000 });
  await timed("afterSeq 4", { afterSeq: 4, waitMs: 500 });
  await timed("afterSeq 50", { afterSeq: 50, waitMs: 500 });
  // exited but a child keeps stdout open
  await client.request("process/start", processParams("k", "sleep 1 & exit 9"));
  await client.waitForExited("k");
  const tk = async (label, o) => {
    const t0 = performance.now();
    const r = await client.request("process/read", { processId: "k", ...o });
    scene.note(label, { bucketMs: Math.round((performance.now() - t0) / 100) * 100, r: r.result });
  };
  await tk("exited, not closed, afterSeq 0", { waitMs: 2000 });
  await tk("exited, not closed, afterSeq 1", { afterSeq: 1, waitMs: 2000 });
  await client.waitForClosed("k");
}
