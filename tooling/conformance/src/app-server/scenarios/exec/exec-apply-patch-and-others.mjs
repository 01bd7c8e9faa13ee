import { commandCase } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await commandCase(client, threadId, "update-plan", [
    scene.respond(
      scene.functionCall(
        "update_plan",
        {
          explanation: "why",
          plan: [
            { step: "a", status: "in_progress" },
            { step: "b", status: "pending" },
          ],
        },
        "call_plan",
      ),
    ),
  ]);
  await commandCase(client, threadId, "apply-patch", [
    scene.respond({
      type: "custom_tool_call",
      id: "ct_1",
      call_id: "call_patch",
      name: "apply_patch",
      input: "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\n",
    }),
  ]);
  await commandCase(client, threadId, "view-image-missing", [
    scene.respond(scene.functionCall("view_image", { path: "/no/such.png" }, "call_vi")),
  ]);
  await commandCase(
    client,
    threadId,
    "plan-mode-update-plan",
    [scene.respond(scene.functionCall("update_plan", { plan: [{ step: "a", status: "pending" }] }, "call_plan2"))],
    {
      collaborationMode: {
        mode: "plan",
        settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
      },
    },
  );
  scene.model.push({ items: [scene.message("intro\n<proposed_plan>\n# The plan\n- do it\n</proposed_plan>\noutro")] });
  await client.turn(threadId, "plan text", {});
}
