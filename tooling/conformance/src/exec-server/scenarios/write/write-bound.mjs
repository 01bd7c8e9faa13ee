import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  client.quiet = true;
  // after N ids, is the very first one still remembered?
  const checks = {};
  for (const N of [64, 128, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 8192]) {
    // fresh process for each N so that the eviction order stays simple
    const pid = `s${N}`;
    await client.request("process/start", processParams(pid, ["cat"], { pipeStdin: true }));
    const write = (id, s) => client.request("process/write", { processId: pid, chunk: b64(s), writeId: id });
    const writes = [];
    for (let i = 1; i <= N; i++) {
      writes.push(write(`n${i}`, "."));
      if (writes.length >= 64) await Promise.all(writes.splice(0));
    }
    await Promise.all(writes);
    await write(`n${N}`, "[LAST]\n");
    await write("n1", "[FIRST]\n");
    await write("end", "[END]\n");
    await client.waitFor(
      (message) =>
        message.method === "process/output" && message.params.processId === pid && client.output(pid).includes("[END]"),
      5000,
    );
    const o = client.output(pid).toString();
    checks[N] = { firstStillRemembered: !o.includes("[FIRST]"), lastRemembered: !o.includes("[LAST]") };
    await client.request("process/terminate", { processId: pid });
  }
  scene.note("after N distinct ids", checks);
}
