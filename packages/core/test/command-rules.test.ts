/** Rules about commands in a whole session: what is asked, what is offered, and what the model reads. */
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import type { AskForApproval, ReviewDecision } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRig } from "./helpers.js";

const RULES = `
prefix_rule(pattern=["true"])
prefix_rule(pattern=["false"], decision="prompt")
prefix_rule(pattern=["test"], decision="prompt", justification="think first")
prefix_rule(pattern=["printf"], decision="forbidden", justification="say it otherwise")
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-rules-"));
});
afterAll(() => removeFolder(folder));

interface Run {
  readonly rules?: string;
  readonly decide?: (proposed: string[]) => ReviewDecision;
}

/** Runs the commands one after the other in one turn. */
async function run(policy: AskForApproval, commands: readonly string[], { rules = RULES, decide }: Run = {}) {
  const place = await mkdtemp(path.join(folder, "home-"));
  const rulesFile = path.join(place, "rules", "default.rules");
  await mkdir(path.dirname(rulesFile));
  await writeFile(rulesFile, rules);
  await using rig = await startRig({
    settings: { approval_policy: policy, sandbox_policy: { type: "danger-full-access" } },
    session: { rulesFile },
  });
  for (const [at, cmd] of commands.entries())
    rig.model.push({ items: [functionCall("exec_command", { cmd, login: false }, `call-${at}`)] });
  rig.model.push({ items: [message("done")] });
  const asked: object[] = [];
  rig.session.subscribe(({ msg }) => {
    if (msg.type !== "exec_approval_request") return;
    const proposed = msg.proposed_execpolicy_amendment ?? null;
    asked.push({ reason: msg.reason ?? null, proposed, choices: msg.available_decisions?.length });
    rig.session.decide(msg.call_id, decide?.(proposed ?? []) ?? "abort");
  });
  await rig.turn("go");
  return {
    asked,
    outputs: commands.map((_, at) => rig.outputOf(`call-${at}`)),
    warnings: rig.events.flatMap((event) => (event.type === "warning" ? [event.message] : [])),
    written: await readFile(rulesFile, "utf8"),
  };
}

const line = (script: string) => new RegExp(`\`\\S*bash -c ['"]?${script}`);

test.each(["never", "on-request", "untrusted"] as const)(
  "%s: what is forbidden does not run, and is not asked",
  async (policy) => {
    const { asked, outputs } = await run(policy, ["printf x", "true && printf x", "A=1 printf x"]);
    expect(asked).toEqual([]);
    for (const output of outputs) expect(output).toContain("rejected: say it otherwise");
  },
);

test.each(["on-request", "untrusted"] as const)(
  "%s: what a rule asks about is asked, and cannot be allowed for good",
  async (policy) => {
    const { asked, outputs } = await run(policy, ["false", "true; test a"], { decide: () => "approved" });
    expect(asked).toEqual([
      { reason: expect.stringMatching(/^`.*false.*` requires approval by policy$/), proposed: null, choices: 2 },
      { reason: expect.stringMatching(/^`.*test a.*` requires approval: think first$/), proposed: null, choices: 2 },
    ]);
    expect(outputs[0]).toContain("exited with code 1");
    expect(outputs[1]).toContain("exited with code 0");
  },
);

test("a rule that asks closes where nobody can be asked", async () => {
  const { asked, outputs } = await run("never", ["false", "true"]);
  expect(asked).toEqual([]);
  expect(outputs[0]).toContain("approval required by policy, but AskForApproval is set to Never");
  expect(outputs[1]).toContain("exited with code 0");
  const granular = { sandbox_approval: true, rules: false, mcp_elicitations: true };
  expect((await run({ granular }, ["false"])).outputs[0]).toContain("AskForApproval::Granular.rules is false");
});

test("of a chain the first command that no rule allows is offered, and allowed for good it is one step less", async () => {
  const { asked, outputs, written } = await run("untrusted", ["true && id -u | cat", "true && id -u", "id"], {
    decide: (proposed_execpolicy_amendment) => ({ approved_execpolicy_amendment: { proposed_execpolicy_amendment } }),
  });
  expect(asked.map((entry) => (entry as { proposed: unknown }).proposed)).toEqual([["id", "-u"], ["id"]]);
  expect(outputs.map((output) => output?.includes("code 0"))).toEqual([true, true, true]);
  expect(written.slice(RULES.length)).toBe(
    'prefix_rule(pattern=["id","-u"], decision="allow")\nprefix_rule(pattern=["id"], decision="allow")\n',
  );
});

test("a rule that cannot be read is told of once, and the others hold", async () => {
  const { warnings, outputs, asked } = await run("untrusted", ["true", "true", "printf x"], {
    rules: `${RULES}prefix_rule(pattern=["a"], decision="often")\n`,
  });
  expect(warnings).toEqual([
    expect.stringMatching(/default\.rules: line 6: decision must be .*; the rule is not used$/),
  ]);
  expect(asked).toEqual([]);
  expect(outputs[2]).toMatch(line("printf x"));
});
