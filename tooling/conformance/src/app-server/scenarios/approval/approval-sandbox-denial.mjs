import { approvalConfig } from "../approval-case.mjs";
import { execCommand } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start({
    config: approvalConfig("on-request", "workspace-write"),
  });
  await client.init();
  for (const [label, sb, dec] of [
    ["ws-accept", "workspace-write", "accept"],
    ["ws-decline", "workspace-write", "decline"],
    ["ro-decline", "read-only", "decline"],
  ]) {
    const threadId = await client.thread({ sandbox: sb });
    client.on("item/commandExecution/requestApproval", () => ({ decision: dec }));
    scene.model.clear();
    scene.model.push(
      scene.respond(
        execCommand(
          scene,
          { cmd: `echo x > /root/zz-probe-${label} && rm /root/zz-probe-${label} && echo wrote` },
          `call_${label}`,
        ),
      ),
      scene.say("x"),
    );
    await client.turn(threadId, label, {}, 15000).catch(() => {});
  }
}
