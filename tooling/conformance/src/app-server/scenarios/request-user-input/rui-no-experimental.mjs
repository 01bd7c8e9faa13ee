import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start({ config: { features: { default_mode_request_user_input: true } } });
  await client.init({ clientInfo: { name: "probe", version: "0.0.1" } });
  const r = await client.ok("thread/start", { cwd: scene.cwd });
  const threadId = r.thread.id;
  scene.model.push(
    scene.respond(
      scene.functionCall(
        "request_user_input",
        { questions: [{ id: "q", header: "H", question: "?", options: [{ label: "a", description: "b" }] }] },
        "call_q",
      ),
      scene.functionCall("exec_command", { cmd: "echo hi", sandbox_permissions: "require_escalated" }, "call_e"),
    ),
    scene.say("done"),
  );
  const from = client.mark();
  await client.request("turn/start", { threadId, input: textInput("x") });
  const message = await client
    .waitFor((x) => x.method === "item/tool/requestUserInput", { from, ms: 3000 })
    .catch(() => null);
  if (message) client.send({ id: message.id, result: { answers: { q: { answers: ["a"] } } } });
  await client.waitFor("turn/completed", { from, ms: 5000 }).catch(() => {});
}
