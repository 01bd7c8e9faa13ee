import { approvalCase, approvalConfig } from "../approval-case.mjs";

export async function run(scene) {
  const client = await scene.start({
    config: approvalConfig("untrusted", "workspace-write"),
  });
  await client.init().catch(() => {});
  await scene.sleep(300);
  const started = await client.request("thread/start", { cwd: scene.cwd }, 5000).catch(() => undefined);
  const threadId = started?.result?.thread.id;
  if (threadId) {
    await approvalCase(client, threadId, "touch", { cmd: "touch z" }, { result: { decision: "accept" } });
    await approvalCase(client, threadId, "ls", { cmd: "ls" }, { result: { decision: "accept" } });
  }
}
