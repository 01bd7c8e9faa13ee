import { approvalConfig } from "../approval-case.mjs";
import { execCommand, writeStdinLater } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start({
    config: approvalConfig("on-request", "workspace-write"),
  });
  await client.init();
  const threadId = await client.thread();
  client.on("item/commandExecution/requestApproval", () => ({ decision: "accept" }));
  scene.model.push(
    scene.respond(
      execCommand(
        scene,
        { cmd: "cat", tty: true, yield_time_ms: 300, sandbox_permissions: "require_escalated", justification: "cat?" },
        "call_a",
      ),
    ),
    writeStdinLater(scene, "call_a", { chars: "rm -rf /tmp/zzz\n", yield_time_ms: 400 }, "call_b"),
    writeStdinLater(scene, "call_a", { chars: "\u0004", yield_time_ms: 500 }, "call_c"),
    scene.say("x"),
  );
  await client.turn(threadId, "x");
  scene.model.push(
    scene.respond(execCommand(scene, { cmd: `echo outside > ${scene.cwd}/../outside.txt` }, "call_d")),
    scene.say("x"),
  );
  await client.turn(threadId, "sandbox denial");
}
