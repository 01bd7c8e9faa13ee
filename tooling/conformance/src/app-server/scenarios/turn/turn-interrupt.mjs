import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await client.request("turn/interrupt", { threadId, turnId: "zzz" }, 4000).catch(() => {});
  scene.model.push({ items: [scene.message("never")], hold: true });
  const started = await client.request("turn/start", { threadId, input: textInput("go") });
  const turnId = started.result.turn.id;
  await scene.model.waitForHold();
  await client
    .request("turn/interrupt", { threadId, turnId: "00000000-0000-7000-8000-000000000000" }, 4000)
    .catch(() => {});
  await client
    .request("turn/interrupt", { threadId: "01a22db4-eb18-7a30-b419-aa902ae17000", turnId }, 4000)
    .catch(() => {});
  const completed = client.waitFor("turn/completed");
  await client.request("turn/interrupt", { threadId, turnId });
  await completed;
  await scene.sleep(300);
  scene.model.releaseAll();
  await client.request("turn/interrupt", { threadId, turnId }, 4000).catch(() => {});
  scene.model.push(scene.say("next"));
  await client.turn(threadId, "after interrupt");

  // interrupt while text is streaming (partial message)
  scene.model.push({ items: [scene.message("partial text here")], holdMidText: true });
  const from = client.mark();
  const startedStream = await client.request("turn/start", { threadId, input: textInput("stream") });
  await scene.model.waitForHold();
  await client.waitFor("item/agentMessage/delta", { from });
  await scene.sleep(200);
  const completedStream = client.waitFor("turn/completed");
  await client.request("turn/interrupt", { threadId, turnId: startedStream.result.turn.id });
  await completedStream;
  scene.model.releaseAll();
  // interrupt while a command is running
  scene.model.push(
    scene.respond(
      scene.functionCall(
        "exec_command",
        { cmd: "sleep 0.6; echo start; sleep 30", yield_time_ms: 20000 },
        "call_sleep",
      ),
    ),
  );
  const fromCommand = client.mark();
  const startedCommand = await client.request("turn/start", { threadId, input: textInput("cmd") });
  await client.waitFor("item/commandExecution/outputDelta", { from: fromCommand });
  const completedCommand = client.waitFor("turn/completed");
  await client.request("turn/interrupt", { threadId, turnId: startedCommand.result.turn.id });
  await completedCommand;
  await scene.sleep(500);
  scene.model.push(scene.say("end"));
  await client.turn(threadId, "finally");
}
