import fs from "node:fs";
import { uri } from "../parameters.mjs";

/** Tens of megabytes take their time on a busy machine. */
const PATIENCE_MS = 90_000;

export async function run(scene) {
  for (const mb of [1, 8, 15.9, 16.1, 32, 63, 65, 80]) {
    const client = await scene.initialized("A");
    const n = Math.floor(mb * 1024 * 1024);
    const msg = JSON.stringify({
      id: "big",
      method: "process/read",
      params: { processId: "nope", pad: "x".repeat(n - 70) },
    });
    client.sendRaw(msg);
    const r = await client.waitFor((message) => message.id === "big" || message.id === -1, PATIENCE_MS);
    scene.note(`${mb} MiB request (single frame)`, { reply: r, closed: client.ended });
    client.cut();
  }
  const client = await scene.initialized("B");
  const big = "x".repeat(20 * 1024 * 1024);
  fs.writeFileSync(`${scene.folder}/big`, big);
  const r = await client.request("fs/readFile", { path: uri(`${scene.folder}/big`) }, { timeout: PATIENCE_MS });
  scene.note("20 MiB readFile", r.result ? { base64len: r.result.dataBase64.length } : r);
  client.cut();
}
