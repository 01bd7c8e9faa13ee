import fs from "node:fs";
import { b64, uri } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const folder = scene.folder;
  const fsRequest = (message, p) => client.request(`fs/${message}`, p);
  await fsRequest("writeFile", { path: uri(`${folder}/a.txt`), dataBase64: b64("hello") });
  await fsRequest("writeFile", { path: uri(`${folder}/a.txt`), dataBase64: b64("hi"), sandbox: null });
  await fsRequest("readFile", { path: uri(`${folder}/a.txt`), sandbox: null });
  await fsRequest("writeFile", { path: uri(`${folder}/no/dir.txt`), dataBase64: "" });
  await fsRequest("writeFile", { path: uri(`${folder}/empty`), dataBase64: "" });
  await fsRequest("readFile", { path: uri(`${folder}/empty`) });
  await fsRequest("writeFile", { path: uri(folder), dataBase64: "" });
  await fsRequest("writeFile", { path: uri(`${folder}/a`), dataBase64: "!!" });
  await fsRequest("writeFile", { path: uri(`${folder}/a`) });
  await fsRequest("readFile", { path: uri(`${folder}/nope`) });
  await fsRequest("readFile", { path: uri(folder) });
  await fsRequest("readFile", { path: `${folder}/a.txt` });
  await fsRequest("readFile", { path: "a.txt" });
  await fsRequest("readFile", { path: `file://host${folder}` });
  await fsRequest("readFile", { path: uri(`${folder}/a.txt/x`) });
  await fsRequest("readFile", { path: uri(`${folder}/a.txt?x=1`) });
  await fsRequest("readFile", { path: uri(`${folder}/a.txt#f`) });
  await fsRequest("readFile", { path: uri("/root/none") });
  fs.symlinkSync("a.txt", `${folder}/link`);
  fs.symlinkSync("missing", `${folder}/dangling`);
  fs.symlinkSync(".", `${folder}/dirlink`);
  await fsRequest("readFile", { path: uri(`${folder}/link`) });
  await fsRequest("readFile", { path: uri(`${folder}/link`), followSymlinks: false });
  await fsRequest("readFile", { path: uri(`${folder}/link`), followSymlinks: true });
  await fsRequest("readFile", { path: uri(`${folder}/a.txt`), followSymlinks: false });
  await fsRequest("readFile", { path: uri(`${folder}/dirlink/a.txt`), followSymlinks: false });
  await fsRequest("readFile", { path: uri(`${folder}/dangling`) });
  await fsRequest("writeFile", { path: uri(`${folder}/link`), dataBase64: b64("via link") });
  await fsRequest("writeFile", { path: uri(`${folder}/link`), dataBase64: b64("nofollow"), followSymlinks: false });
  scene.note("link is still a symlink", fs.lstatSync(`${folder}/link`).isSymbolicLink());
  scene.note("a.txt", fs.readFileSync(`${folder}/a.txt`, "utf8"));
  await fsRequest("writeFile", { path: uri(`${folder}/dangling`), dataBase64: b64("x") });
  scene.note("missing created through dangling link", fs.existsSync(`${folder}/missing`));
  scene.note("mode of a new file", (fs.statSync(`${folder}/empty`).mode & 0o777).toString(8));
  await fsRequest("createDirectory", { path: uri(`${folder}/d`) });
  await fsRequest("createDirectory", { path: uri(`${folder}/d`) });
  await fsRequest("createDirectory", { path: uri(`${folder}/d`), recursive: true });
  await fsRequest("createDirectory", { path: uri(`${folder}/d`), recursive: false });
  await fsRequest("createDirectory", { path: uri(`${folder}/p/q/r`), recursive: false });
  await fsRequest("createDirectory", { path: uri(`${folder}/p/q/r`) });
  await fsRequest("createDirectory", { path: uri(`${folder}/p2/q/r`), recursive: true });
  await fsRequest("createDirectory", { path: uri(`${folder}/a.txt`), recursive: true });
  await fsRequest("createDirectory", {
    path: uri(`${folder}/dirlink/viaLink`),
    recursive: true,
    followSymlinks: false,
  });
  for (const p of ["/a.txt", "/link", "/dangling", "/d", "/nope", "/dirlink"]) {
    await fsRequest("getMetadata", { path: uri(folder + p) });
    await fsRequest("getMetadata", { path: uri(folder + p), followSymlinks: false });
  }
  await fsRequest("getMetadata", { path: uri("/dev/null") });
  await fsRequest("canonicalize", { path: uri(`${folder}/dirlink/d/../a.txt`) });
  await fsRequest("canonicalize", { path: uri(`${folder}/link`) });
  await fsRequest("canonicalize", { path: uri(`${folder}/nope`) });
  fs.mkdirSync(`${folder}/sp ace é`);
  await fsRequest("canonicalize", { path: uri(`${folder}/sp%20ace%20%C3%A9`) });
  await fsRequest("canonicalize", { path: uri(`${folder}/sp ace é/`) });
  const sorted = async (p) => {
    client.quiet = true;
    const r = await fsRequest("readDirectory", p);
    client.quiet = false;
    if (r.result) r.result.entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
    scene.note(`readDirectory ${scene.normalized(p.path ?? "")}`, r);
  };
  await sorted({ path: uri(folder) });
  await sorted({ path: uri(`${folder}/nope`) });
  await sorted({ path: uri(`${folder}/a.txt`) });
  await sorted({ path: uri(`${folder}/d`) });
  await fsRequest("remove", { path: uri(`${folder}/nope`) });
  await fsRequest("remove", { path: uri(`${folder}/nope`), force: true });
  await fsRequest("remove", { path: uri(`${folder}/nope`), force: false });
  await fsRequest("remove", { path: uri(`${folder}/dangling`) });
  await fsRequest("remove", { path: uri(`${folder}/d`) });
  fs.mkdirSync(`${folder}/full`);
  fs.writeFileSync(`${folder}/full/x`, "");
  await fsRequest("remove", { path: uri(`${folder}/full`), recursive: false });
  await fsRequest("remove", { path: uri(`${folder}/full`) });
  await fsRequest("remove", { path: uri(`${folder}/dirlink`), recursive: true });
  scene.note("target dir intact", fs.existsSync(`${folder}/a.txt`));
  fs.mkdirSync(`${folder}/emptyd`);
  await fsRequest("remove", { path: uri(`${folder}/emptyd`), recursive: false });
  fs.writeFileSync(`${folder}/one`, "");
  await fsRequest("remove", { path: uri(`${folder}/one`) });
  await fsRequest("copy", {
    sourcePath: uri(`${folder}/a.txt`),
    destinationPath: uri(`${folder}/b.txt`),
    recursive: false,
  });
  await fsRequest("copy", { sourcePath: uri(`${folder}/a.txt`), destinationPath: uri(`${folder}/b.txt`) });
  await fsRequest("copy", { sourcePath: uri(`${folder}/nope`), destinationPath: uri(`${folder}/z`), recursive: false });
  await fsRequest("copy", { sourcePath: uri(`${folder}/p2`), destinationPath: uri(`${folder}/p3`), recursive: false });
  await fsRequest("copy", { sourcePath: uri(`${folder}/p2`), destinationPath: uri(`${folder}/p3`), recursive: true });
  await fsRequest("copy", { sourcePath: uri(`${folder}/p2`), destinationPath: uri(`${folder}/p3`), recursive: true });
  await fsRequest("copy", {
    sourcePath: uri(`${folder}/p2`),
    destinationPath: uri(`${folder}/p2/in`),
    recursive: true,
  });
  await fsRequest("copy", { sourcePath: uri(`${folder}/p2`), destinationPath: uri(`${folder}/p2`), recursive: true });
  await fsRequest("copy", {
    sourcePath: uri(`${folder}/link`),
    destinationPath: uri(`${folder}/link2`),
    recursive: false,
  });
  scene.note(
    "link2 is a symlink",
    fs.existsSync(`${folder}/link2`) ? fs.lstatSync(`${folder}/link2`).isSymbolicLink() : null,
  );
  await fsRequest("copy", { sourcePath: uri("/dev/null"), destinationPath: uri(`${folder}/nul`), recursive: false });
  await fsRequest("copy", {
    sourcePath: uri(`${folder}/a.txt`),
    destinationPath: uri(`${folder}/p2`),
    recursive: false,
  });
  await fsRequest("copy", {
    sourcePath: uri(`${folder}/a.txt`),
    destinationPath: uri(`${folder}/no/x`),
    recursive: false,
  });
  await fsRequest("copy", {
    sourcePath: uri(`${folder}/a.txt`),
    destinationPath: uri(`${folder}/a.txt`),
    recursive: false,
  });
  scene.note("a.txt after copying onto itself", fs.readFileSync(`${folder}/a.txt`, "utf8"));
}
