import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  // client metadata, model override, effort, summary
  scene.model.push(scene.say("a"));
  await client.turn(threadId, "one", {
    responsesapiClientMetadata: { foo: "bar", turn_id: "x" },
    effort: "high",
    summary: "detailed",
    model: "gpt-5.5",
  });
  scene.model.push(scene.say("b"));
  await client.turn(threadId, "two");
  await client.turn(threadId, "three", { model: "no-such-model" });
  await client.request("turn/start", { threadId, input: textInput("x"), effort: "weird" });
  await scene.sleep(500);
  await client.request("turn/start", {
    threadId,
    input: textInput("x"),
    collaborationMode: {
      mode: "execute",
      settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
    },
  });
  await client.request("turn/start", {
    threadId,
    input: textInput("x"),
    collaborationMode: {
      mode: "zzz",
      settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
    },
  });
  await scene.sleep(500);
}
