import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await client.request("turn/steer", { threadId, expectedTurnId: "nope", input: textInput("x") });
  scene.model.push({ items: [scene.message("first answer")], hold: true }, scene.say("after steer"));
  const started = await client.request("turn/start", { threadId, input: textInput("go") });
  const turnId = started.result.turn.id;
  await scene.model.waitForHold();
  await client.request("turn/steer", {
    threadId,
    expectedTurnId: "00000000-0000-7000-8000-000000000000",
    input: textInput("x"),
  });
  await client.request("turn/steer", { threadId, expectedTurnId: "", input: textInput("x") });
  await client.request("turn/steer", { threadId, input: textInput("x") });
  await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: [] });
  await client.request("turn/steer", {
    threadId,
    expectedTurnId: turnId,
    input: [{ type: "image", url: "https://127.0.0.1:9/x.png" }],
  });
  await client.request("turn/steer", {
    threadId: "01a22db4-eb18-7a30-b419-aa902ae17000",
    expectedTurnId: turnId,
    input: textInput("x"),
  });
  await client.request("turn/steer", { threadId: "not-a-uuid", expectedTurnId: turnId, input: textInput("x") });
  await client.request("turn/steer", {
    threadId,
    expectedTurnId: turnId,
    input: textInput("please also do this"),
    clientUserMessageId: "cid-steer",
  });
  await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: textInput("and that") });
  await scene.sleep(300);
  scene.note("releasing model response");
  scene.model.release();
  await client.waitFor("turn/completed");
  await scene.sleep(200);
  await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: textInput("late") });
}
