import { everyMethod } from "../methods.mjs";

/** Every method before `initialize`, and between it and `initialized`. */
export async function run(scene) {
  const methods = everyMethod(scene);
  const client = await scene.connect("A");
  for (const [method, params] of methods) await client.request(method, params);
  await client.request("process/read", {});
  await client.request("nope", {});
  await client.request("initialize", { clientName: "d" });
  for (const [method, params] of methods) await client.request(method, params);
  scene.note("open", !client.ended);
}
