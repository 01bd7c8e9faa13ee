/** What follows when the sandbox stops a command: nothing, or a question whether it may run again without. */
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { LocalHost } from "@turnkit/exec-server/local-host";
import type { AskForApproval, ReviewDecision } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import type { Clock } from "@turnkit/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/clock.js";
import { startRig } from "./helpers.js";

const confines = await new LocalHost().canConfine();
const GRANULAR = (sandbox_approval: boolean): AskForApproval => ({
  granular: { sandbox_approval, rules: true, mcp_elicitations: true },
});

/** A command that is stopped within 150 ms may be asked about; how busy this machine is must not decide. */
const patient: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms === 150 ? 20_000 : ms, action),
};

let outside: string;
beforeAll(async () => {
  // Temporary folders are open to a confined command, so that this one must be elsewhere.
  outside = await mkdtemp("/var/tmp/turnkit-outside-");
});
afterAll(() => removeFolder(outside));

async function attempt(policy: AskForApproval, decisions: readonly ReviewDecision[], more: object = {}) {
  await using rig = await startRig({
    settings: { approval_policy: policy, sandbox_policy: { type: "workspace-write" } },
    session: { clock: patient },
  });
  const file = path.join(outside, Math.random().toString(36).slice(2));
  const call = functionCall("exec_command", { cmd: `echo x > ${file} && echo wrote`, login: false, ...more }, "call");
  rig.model.push({ items: [call] }, { items: [message("done")] });
  const asked: (string | undefined)[] = [];
  rig.session.subscribe(({ msg }) => {
    if (msg.type !== "exec_approval_request") return;
    const decision = decisions[asked.length] ?? "denied";
    asked.push(msg.reason ?? undefined);
    rig.session.decide(msg.call_id, decision as ReviewDecision);
  });
  await rig.turn("go");
  const kinds = rig.events.map(({ type }) => type).filter((type) => /^exec_command_(begin|end)$/.test(type));
  return { asked, kinds, wrote: existsSync(file), output: rig.outputOf("call") };
}

describe.skipIf(!confines)("a denied command (skipped without a working bubblewrap)", () => {
  test.each(["never", "on-request"] as const)("%s: the model reads what happened, nobody is asked", async (policy) => {
    const { asked, kinds, wrote, output } = await attempt(policy, []);
    expect({ asked, kinds, wrote }).toEqual({
      asked: [],
      kinds: ["exec_command_begin", "exec_command_end"],
      wrote: false,
    });
    expect(output).toMatch(/exited with code 1\n(.*\n)*.*Read-only file system/);
  });

  test("granular: the person is asked, and it runs once without the sandbox", async () => {
    const { asked, kinds, wrote, output } = await attempt(GRANULAR(true), ["approved"]);
    expect({ asked, kinds, wrote }).toEqual({
      asked: ["command failed; retry without sandbox?"],
      kinds: ["exec_command_begin", "exec_command_end"],
      wrote: true,
    });
    expect(output).toMatch(/exited with code 0\n(.*\n)*wrote\n$/);
  });

  test("granular without questions about the sandbox: the denial stands, and escalating is refused", async () => {
    expect(await attempt(GRANULAR(false), [])).toMatchObject({ asked: [], wrote: false });
    const escalated = await attempt(GRANULAR(false), [], { sandbox_permissions: "require_escalated" });
    expect(escalated).toMatchObject({ asked: [], wrote: false });
    expect(escalated.output).toContain(
      "approval policy is Granular(GranularApprovalConfig { sandbox_approval: false, ",
    );
  });

  test("untrusted: what was approved is approved within the sandbox; leaving it is asked for again", async () => {
    const { asked, wrote } = await attempt("untrusted", ["approved", "approved"]);
    expect({ asked, wrote }).toEqual({
      asked: [undefined, "command failed; retry without sandbox?"],
      wrote: true,
    });
  });

  test("a no ends the call; the command that ran is shown", async () => {
    const { asked, kinds, wrote, output } = await attempt("untrusted", ["approved", { denied: { rejection: "" } }]);
    expect(asked).toHaveLength(2);
    expect({ kinds, wrote }).toEqual({ kinds: ["exec_command_begin", "exec_command_end"], wrote: false });
    expect(output).toContain("rejected by user");
  });
});
