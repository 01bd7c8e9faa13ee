import fs from "node:fs";
import { inputCase, textItem, writeMedia } from "../input-case.mjs";
import { dataUrl } from "../media.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const media = writeMedia(scene);
  const url = dataUrl("image/png", fs.readFileSync(media.small));
  await inputCase(client, "image-data", [{ type: "image", url }]);
  for (const detail of ["auto", "low", "high", "original", "bogus"])
    await inputCase(client, `image-data-${detail}`, [textItem("see", []), { type: "image", url, detail: detail }]);
  await inputCase(client, "image-http", [{ type: "image", url: "http://127.0.0.1:9/x.png" }, textItem("remote")]);
  await inputCase(client, "image-data-garbage", [
    { type: "image", url: "data:image/png;base64,AAAA" },
    textItem("garbage"),
  ]);
  await inputCase(client, "image-data-notbase64", [
    { type: "image", url: "data:image/png;base64,@@@@" },
    textItem("garbage"),
  ]);
  await inputCase(client, "image-empty-url", [{ type: "image", url: "" }, textItem("emptyurl")]);
  await inputCase(client, "image-missing-url", [{ type: "image" }]);
  await inputCase(client, "image-snake-url", [{ type: "image", image_url: url }]);
  await inputCase(client, "image-big-data", [
    { type: "image", url: dataUrl("image/png", fs.readFileSync(media.big)) },
    textItem("big"),
  ]);
  await inputCase(client, "image-big-data-original", [
    { type: "image", url: dataUrl("image/png", fs.readFileSync(media.big)), detail: "original" },
    textItem("big"),
  ]);
  await inputCase(client, "image-only-two", [
    { type: "image", url },
    { type: "image", url },
  ]);
}
