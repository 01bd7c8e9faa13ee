import { approvalConfig } from "../approval-case.mjs";

export async function run(scene) {
  const client = await scene.start({ config: approvalConfig("on-request", "danger-full-access") });
  await client.init();
  const threadId = await client.thread({ sandbox: "read-only" });
  scene.model.push(
    scene.respond({
      type: "custom_tool_call",
      id: "ct_1",
      call_id: "call_patch",
      name: "apply_patch",
      input: "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n",
    }),
    scene.say("done"),
  );
  client.on("item/fileChange/requestApproval", (_message) => ({ decision: "accept" }));
  await client.turn(threadId, "patch");
}
