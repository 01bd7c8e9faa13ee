import { execCommand } from "../command-case.mjs";
import { planMode } from "../modes.mjs";
import { question } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  client.on("item/tool/requestUserInput", () => ({ answers: {} }));
  scene.model.push(
    scene.respond(
      execCommand(scene, { cmd: "sleep 1.5; echo slow" }, "call_slow"),
      scene.functionCall("request_user_input", { questions: [question()] }, "call_q"),
      execCommand(scene, { cmd: "sleep 1; echo third" }, "call_third"),
    ),
    scene.say("done"),
  );
  await client.turn(threadId, "x", { collaborationMode: planMode });
}
