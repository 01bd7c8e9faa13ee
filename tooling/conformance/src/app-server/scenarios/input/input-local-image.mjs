import fs from "node:fs";
import { inputCase, textItem, writeMedia } from "../input-case.mjs";
import { dataUrl } from "../media.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const media = writeMedia(scene);
  await inputCase(client, "local-small", [textItem("look"), { type: "localImage", path: media.small }]);
  for (const detail of ["auto", "low", "high", "original"])
    await inputCase(client, `local-small-${detail}`, [
      textItem("look"),
      { type: "localImage", path: media.small, detail: detail },
    ]);
  await inputCase(client, "local-first-then-text", [{ type: "localImage", path: media.small }, textItem("after")]);
  await inputCase(client, "local-two", [
    { type: "localImage", path: media.small },
    { type: "localImage", path: media.misnamed },
  ]);
  await inputCase(client, "local-after-remote", [
    { type: "image", url: dataUrl("image/png", fs.readFileSync(media.small)) },
    { type: "localImage", path: media.small },
  ]);
  await inputCase(client, "local-missing", [textItem("look"), { type: "localImage", path: media.missingPng }]);
  await inputCase(client, "local-missing-only", [{ type: "localImage", path: media.missingPng }]);
  await inputCase(client, "local-missing-then-good", [
    { type: "localImage", path: media.missingPng },
    { type: "localImage", path: media.small },
  ]);
  await inputCase(client, "local-not-image", [textItem("look"), { type: "localImage", path: media.notImage }]);
  await inputCase(client, "local-txt", [textItem("look"), { type: "localImage", path: media.text }]);
  await inputCase(client, "local-empty", [textItem("look"), { type: "localImage", path: media.empty }]);
  await inputCase(client, "local-dir", [textItem("look"), { type: "localImage", path: media.folder }]);
  await inputCase(client, "local-relative", [textItem("look"), { type: "localImage", path: "small.png" }]);
  await inputCase(client, "local-big", [textItem("look"), { type: "localImage", path: media.big }]);
  await inputCase(client, "local-big-original", [
    textItem("look"),
    { type: "localImage", path: media.big, detail: "original" },
  ]);
  await inputCase(client, "local-wide-high", [
    textItem("look"),
    { type: "localImage", path: media.wide, detail: "high" },
  ]);
}
