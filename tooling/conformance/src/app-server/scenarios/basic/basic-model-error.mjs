export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  scene.model.push({
    status: 400,
    errorBody: { error: { message: "bad thing", type: "invalid_request_error", code: "bad" } },
  });
  await client.turn(threadId, "hi");
  scene.model.push({ items: [scene.message("partial")], noCompleted: true });
  await client.turn(threadId, "stream cut");
  scene.model.push({ status: 500, errorBody: { error: { message: "mock error", type: "mock", code: "mock" } } });
  await client.turn(threadId, "http 500");
}
