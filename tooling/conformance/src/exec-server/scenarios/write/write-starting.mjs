import { b64, processParams } from "../parameters.mjs";

export async function run(scene) {
  await scene.startServer({ args: ["--concurrent-requests", "64"] });
  const client = await scene.initialized();
  client.quiet = true;
  const seen = {};
  for (let i = 0; i < 150; i++) {
    const id = `r${i}`;
    const writes = [
      client.request("process/start", processParams(id, ["cat"], { pipeStdin: true })),
      client.request("process/write", { processId: id, chunk: b64("x\n"), writeId: "1" }),
      client.request("process/read", { processId: id }),
      client.request("process/terminate", { processId: id }),
      client.request("process/start", processParams(id, ["cat"])),
    ];
    const [a, b, d, e, f] = await Promise.all(writes);
    for (const [k, v] of [
      ["write", b],
      ["read", d],
      ["terminate", e],
      ["dup start", f],
      ["start", a],
    ]) {
      const s =
        k +
        ": " +
        JSON.stringify(v.result ?? v.error)
          .replaceAll(id, "<ID>")
          .replace(/"chunks":\[.*?\]/, '"chunks":[…]');
      seen[s] = (seen[s] || 0) + 1;
    }
    await client.request("process/terminate", { processId: id });
  }
  scene.note("~replies of a start/write/read/terminate/start volley, 150 times, 64 concurrent", seen);
}
