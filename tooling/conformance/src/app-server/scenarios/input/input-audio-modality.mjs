import fs from "node:fs";
import path from "node:path";
import { writeMedia } from "../input-case.mjs";

export async function run(scene) {
  const cat = JSON.parse(fs.readFileSync(new URL("../models.json", import.meta.url)));
  for (const message of cat.models)
    if (message.slug === "gpt-5.4") message.input_modalities = ["text", "image", "audio"];
  const file = path.join(scene.home, "cat.json");
  fs.writeFileSync(file, JSON.stringify(cat));
  const client = await scene.start({ config: { top: `model_catalog_json = "${file}"` } });
  await client.init();
  const media = writeMedia(scene);
  await audioCases(scene, client, media);
}
