import { approvalCase, approvalConfig, escalated } from "../approval-case.mjs";
import { textInput } from "../input-case.mjs";

export async function run(scene) {
  const client = await scene.start({ config: approvalConfig("on-request", "danger-full-access") });
  await client.init();
  const threadId = await client.thread();
  await approvalCase(client, threadId, "plain-no-approval", { cmd: "echo hi" }, {});
  await approvalCase(client, threadId, "dfa-escalated", escalated("echo esc"), { result: { decision: "accept" } });
  await approvalCase(
    client,
    threadId,
    "dangerous-rm",
    { cmd: `rm -rf ${scene.cwd}/nothing-here` },
    { result: { decision: "accept" } },
  );
  const workspaceThread = await client.thread({ sandbox: "workspace-write" });
  await approvalCase(client, workspaceThread, "esc-accept", escalated("echo accepted"), {
    result: { decision: "accept" },
  });
  await approvalCase(client, workspaceThread, "esc-decline", escalated("echo declined"), {
    result: { decision: "decline" },
  });
  await approvalCase(client, workspaceThread, "esc-cancel", escalated("echo cancelled"), {
    result: { decision: "cancel" },
  });
  await approvalCase(client, workspaceThread, "esc-after-cancel", escalated("echo again"), {
    result: { decision: "acceptForSession" },
  });
  await approvalCase(client, workspaceThread, "esc-session-cached", escalated("echo again"), {
    result: { decision: "decline" },
  });
  await approvalCase(
    client,
    workspaceThread,
    "esc-prefix-rule",
    { ...escalated("touch a.txt"), prefix_rule: ["touch"] },
    (message) => {
      client.send({
        id: message.id,
        result: { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } } },
      });
    },
  );
  await approvalCase(
    client,
    workspaceThread,
    "esc-prefix-rule-2",
    { ...escalated("touch b.txt"), prefix_rule: ["touch"] },
    { result: { decision: "decline" } },
  );
  await approvalCase(client, workspaceThread, "esc-rpc-error", escalated("echo rpcerr"), {
    error: { code: -1, message: "no" },
  });
  await approvalCase(client, workspaceThread, "esc-malformed", escalated("echo malformed"), {
    result: { decision: "maybe" },
  });
  await approvalCase(client, workspaceThread, "esc-malformed-2", escalated("echo malformed2"), { result: {} });
  await approvalCase(client, workspaceThread, "esc-interrupt", escalated("echo intr"), async (message, turnId) => {
    await client.request("turn/interrupt", { threadId: workspaceThread, turnId });
    await scene.sleep(300);
    client.send({ id: message.id, result: { decision: "accept" } });
  });
  const neverThread = await client.thread({ sandbox: "workspace-write", approvalPolicy: "never" });
  await approvalCase(client, neverThread, "never-escalated", escalated("echo never"), {
    result: { decision: "accept" },
  });
  await approvalCase(
    client,
    neverThread,
    "never-dangerous",
    { cmd: `rm -rf ${scene.cwd}/nothing-here` },
    { result: { decision: "accept" } },
  );
  await approvalCase(client, neverThread, "never-sandboxed-echo", { cmd: "echo sandboxed" }, {});
  const untrusted = await client.request("thread/start", { cwd: scene.cwd, approvalPolicy: "untrusted" });
  const untrustedThread = untrusted.result?.thread.id;
  if (untrustedThread) {
    await approvalCase(client, untrustedThread, "untrusted-ls", { cmd: "ls" }, { result: { decision: "accept" } });
    await approvalCase(
      client,
      untrustedThread,
      "untrusted-touch",
      { cmd: "touch z" },
      { result: { decision: "accept" } },
    );
  }
  await client.request("turn/start", { threadId: workspaceThread, input: textInput("x"), approvalPolicy: "untrusted" });
  await scene.sleep(500);
}
