import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  // exact bound and eviction order
  const client = await scene.initialized();
  client.quiet = true;
  let lo = 1,
    hi = 8192;
  let k = 0;
  const remembered = async (N, refresh) => {
    const pid = `b${k++}`;
    await client.request("process/start", processParams(pid, ["cat"], { pipeStdin: true }));
    const write = (id, s) => client.request("process/write", { processId: pid, chunk: b64(s), writeId: id });
    const writes = [];
    for (let i = 1; i <= N; i++) {
      writes.push(write(`n${i}`, "."));
      if (writes.length >= 64) await Promise.all(writes.splice(0));
      if (refresh && i === Math.floor(N / 2)) {
        await Promise.all(writes.splice(0));
        await write("n1", "[R]");
      }
    }
    await Promise.all(writes);
    await write("n1", "[FIRST]\n");
    await write("end", "[END]\n");
    await client.waitFor((message) => message.params?.processId === pid && client.output(pid).includes("[END]"), 5000);
    const r = !client.output(pid).includes("[FIRST]");
    await client.request("process/terminate", { processId: pid });
    return r;
  };
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (await remembered(mid, false)) lo = mid;
    else hi = mid - 1;
  }
  scene.note("largest N for which id 1 of N is still remembered", lo);
  scene.note("N=bound+1 with id 1 re-sent half way (LRU refresh?)", await remembered(lo + 1, true));
}
