// @ts-check
// Turns in which a command may need approval.
import { textInput } from "./input-case.mjs";

/** @typedef {import("../client.mjs").Message} Message */

export const approvalMethod = "item/commandExecution/requestApproval";

/** @param {string} approvalPolicy @param {string} sandboxMode */
export function approvalConfig(approvalPolicy, sandboxMode) {
  return {
    base: false,
    top: `model = "gpt-5.4"
model_provider = "mock"
approval_policy = "${approvalPolicy}"
sandbox_mode = "${sandboxMode}"
`,
  };
}

/** @param {string} cmd */
export function escalated(cmd) {
  return { cmd, sandbox_permissions: "require_escalated", justification: "Need it?" };
}

/**
 * @param {import("../client.mjs").Client} client @param {string} threadId @param {string} label
 * @param {object} args of exec_command
 * @param {object | ((request: Message, turnId: string) => unknown)} reply to the approval request, if one comes
 */
export async function approvalCase(client, threadId, label, args, reply) {
  const { scene } = client;
  scene.note(label);
  scene.model.clear();
  scene.model.push(scene.respond(scene.functionCall("exec_command", args, `call_${label}`)), scene.say("done"));
  const from = client.mark();
  const started = await client.request("turn/start", { threadId, input: textInput(label) });
  if (started.error) return;
  const first = await client.waitFor(({ method }) => method === approvalMethod || method === "turn/completed", {
    from,
  });
  if (first.method === approvalMethod) {
    await scene.sleep(100);
    await client.request("thread/read", { threadId });
    if (typeof reply === "function") await reply(first, started.result.turn.id);
    else client.send({ id: first.id, ...reply });
    await client.waitFor("turn/completed", { from }).catch(() => {});
  }
  await scene.sleep(250);
}
