import fs from "node:fs";
import { uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const folder = scene.folder;
  const mk = (p) => fs.mkdirSync(folder + p, { recursive: true });
  mk("/a/b/c");
  mk("/.hidden/x");
  mk("/e");
  fs.writeFileSync(`${folder}/f1`, "1");
  fs.writeFileSync(`${folder}/a/f2`, "22");
  fs.writeFileSync(`${folder}/a/b/c/f3`, "");
  fs.writeFileSync(`${folder}/.hidden/x/f4`, "");
  fs.symlinkSync("a", `${folder}/ln`);
  fs.symlinkSync("f1", `${folder}/lf`);
  fs.symlinkSync("nope", `${folder}/dang`);
  const O = {
    maxDepth: 10,
    maxDirectories: 100,
    maxEntries: 1000,
    followDirectorySymlinks: false,
    pruneHiddenDirectories: false,
  };
  const walk = async (o, p = uri(folder)) => {
    client.quiet = true;
    const r = await client.request("fs/walk", { path: p, options: { ...O, ...o } });
    client.quiet = false;
    scene.note(`walk ${JSON.stringify(o)}${p === uri(folder) ? "" : ` ${scene.normalized(p)}`}`, r.result ?? r);
  };
  await walk({});
  await walk({ pruneHiddenDirectories: true });
  await walk({ followDirectorySymlinks: true });
  await walk({ maxDepth: 1 });
  await walk({ maxDepth: 0 });
  await walk({ maxEntries: 3 });
  await walk({ maxEntries: 0 });
  await walk({ maxDirectories: 2 });
  await walk({ maxDirectories: 0 });
  await walk({ maxDepth: 100000 });
  await walk({ maxEntries: 10000000 });
  await walk({ maxDirectories: 10000000 });
  await walk({}, uri(`${folder}/f1`));
  await walk({}, uri(`${folder}/nope`));
  await walk({}, uri(`${folder}/ln`));
  for (const k of Object.keys(O)) {
    const o = { ...O };
    delete o[k];
    await client.request("fs/walk", { path: uri(`${folder}/e`), options: o });
  }
  await client.request("fs/walk", { path: uri(folder) });
}
