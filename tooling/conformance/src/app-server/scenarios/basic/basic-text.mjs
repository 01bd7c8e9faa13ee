export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const r = await client.ok("thread/start", { cwd: scene.cwd });
  scene.model.push({ items: [scene.reasoning("thinking hard", "raw reasoning"), scene.message("Hello, world!")] });
  await client.turn(r.thread.id, "hi there");
  await scene.sleep(500);
}
