import fs from "node:fs";
import { unb64, uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const folder = scene.folder;
  const fsRequest = (message, params, options) => client.request(`fs/${message}`, params, options);
  fs.writeFileSync(`${folder}/f`, "abcdefghij");
  fs.symlinkSync("f", `${folder}/l`);
  fs.mkdirSync(`${folder}/dir`);
  await fsRequest("open", { handleId: "h1", path: uri(`${folder}/f`) });
  await fsRequest("open", { handleId: "h1", path: uri(`${folder}/f`) });
  await fsRequest("readBlock", { handleId: "h1", offset: 0, len: 4 });
  await fsRequest("readBlock", { handleId: "h1", offset: 4, len: 6 });
  await fsRequest("readBlock", { handleId: "h1", offset: 4, len: 100 });
  await fsRequest("readBlock", { handleId: "h1", offset: 10, len: 1 });
  await fsRequest("readBlock", { handleId: "h1", offset: 99, len: 1 });
  await fsRequest("readBlock", { handleId: "h1", offset: 0, len: 0 });
  await fsRequest("readBlock", { handleId: "h1", offset: -1, len: 1 });
  await fsRequest("readBlock", { handleId: "h1", offset: 0, len: 1e9 });
  await fsRequest("readBlock", { handleId: "nope", offset: 0, len: 1 });
  await fsRequest("close", { handleId: "h1" });
  await fsRequest("close", { handleId: "h1" });
  await fsRequest("readBlock", { handleId: "h1", offset: 0, len: 1 });
  await fsRequest("open", { handleId: "d", path: uri(`${folder}/dir`) });
  await fsRequest("open", { handleId: "n", path: uri(`${folder}/nope`) });
  await fsRequest("open", { handleId: "l", path: uri(`${folder}/l`) });
  await fsRequest("readBlock", { handleId: "l", offset: 0, len: 3 });
  await fsRequest("open", { handleId: "", path: uri(`${folder}/f`) });
  await fsRequest("open", { handleId: "dev", path: uri("/dev/null") });
  client.quiet = true;
  let lastOk = 0,
    err = null;
  for (let i = 0; i < 600; i++) {
    const r = await fsRequest("open", { handleId: `m${i}`, path: uri(`${folder}/f`) });
    if (r.error) {
      err = r.error;
      break;
    }
    lastOk++;
  }
  scene.note("open handles until refused", [lastOk, err]);
  fs.writeFileSync(`${folder}/big`, Buffer.alloc(40 * 1024 * 1024));
  await fsRequest("close", { handleId: "m0" });
  await fsRequest("open", { handleId: "big", path: uri(`${folder}/big`) });
  let lo = 1,
    hi = 64 * 1024 * 1024;
  while (lo < hi) {
    const mid = Math.floor((lo + hi + 1) / 2);
    const r = await fsRequest("readBlock", { handleId: "big", offset: 0, len: mid });
    if (r.result) lo = mid;
    else {
      hi = mid - 1;
      err = r.error;
    }
  }
  scene.note("largest len", [lo, err]);
  const r = await fsRequest("readBlock", { handleId: "big", offset: 0, len: lo });
  scene.note("block", { len: unb64(r.result.chunk).length, eof: r.result.eof });
  // limit for readFile
  for (const mb of [16, 64, 100, 128, 256, 512, 513]) {
    const fd = fs.openSync(`${folder}/sparse`, "w");
    fs.ftruncateSync(fd, mb * 1024 * 1024);
    fs.closeSync(fd);
    const q = await fsRequest("readFile", { path: uri(`${folder}/sparse`) }, { timeout: 90_000 });
    scene.note(`readFile ${mb} MiB`, q.result ? { base64: q.result.dataBase64.length } : q);
    if (!q.result) break;
  }
}
