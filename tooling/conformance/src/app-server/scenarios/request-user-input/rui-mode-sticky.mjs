import { planMode } from "../modes.mjs";
import { question } from "../question-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  client.on("item/tool/requestUserInput", () => ({ answers: {} }));
  const ask = async (label, params) => {
    scene.model.push(
      scene.respond(scene.functionCall("request_user_input", { questions: [question()] }, `call_${label}`)),
      scene.say("ok"),
    );
    await client.turn(threadId, label, params);
  };
  await ask("plan", { collaborationMode: planMode });
  await ask("sticky", {});
  await ask("back", { collaborationMode: { ...planMode, mode: "default" } });
  await ask("custom-instr", {
    collaborationMode: {
      mode: "plan",
      settings: { model: "gpt-5.4", reasoning_effort: "low", developer_instructions: "MY PLAN INSTR" },
    },
  });
  for (const mode of ["execute", "pair_programming", "code", "custom"])
    await ask(`mode-${mode}`, { collaborationMode: { ...planMode, mode } });
  await client.stop();
  const second = await scene.start({ config: false });
  await second.init();
  second.on("item/tool/requestUserInput", () => ({ answers: {} }));
  await second.ok("thread/resume", { threadId });
  scene.model.push(
    scene.respond(scene.functionCall("request_user_input", { questions: [question()] }, "call_res")),
    scene.say("ok"),
  );
  await second.turn(threadId, "resumed");
}
