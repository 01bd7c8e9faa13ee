// Compactions that the limit asks for: before a turn, and between two requests of one.
const cost = (tokens) => ({
  input_tokens: tokens,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: tokens + 20,
});

export async function run(scene) {
  const top = 'model_auto_compact_token_limit = 2000\ncompact_prompt = "Sum it up."';
  const client = await scene.start({ config: { top } });
  await client.init();
  const threadId = await client.thread();
  scene.model.push({ ...scene.say("answer one"), usage: cost(1990) });
  await client.turn(threadId, "first");
  scene.model.push({ ...scene.say("SUMMARY ONE"), usage: cost(50) }, { ...scene.say("answer two"), usage: cost(60) });
  await client.turn(threadId, "second");
  scene.model.push(
    { ...scene.respond(scene.functionCall("update_plan", { plan: [] }, "call_1")), usage: cost(2500) },
    { ...scene.say("SUMMARY TWO"), usage: cost(70) },
    { ...scene.say("answer three"), usage: cost(80) },
  );
  await client.turn(threadId, "third");
  scene.model.push({ ...scene.say("answer four"), usage: cost(90) });
  await client.turn(threadId, "fourth");
}
