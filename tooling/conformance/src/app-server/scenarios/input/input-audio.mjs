import { audioCases } from "../audio-cases.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  await audioCases(client);
}
