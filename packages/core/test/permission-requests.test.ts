/** Permissions beyond the sandbox: who is asked, what the model reads, and what later commands may do. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import path from "node:path";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { LocalHost } from "@turnkit/exec-server/local-host";
import type { AskForApproval, ReviewDecision, SandboxPolicy } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PermissionAnswer } from "../src/index.js";
import { startRig } from "./helpers.js";

const confines = await new LocalHost().canConfine();
const GRANULAR = (request_permissions: boolean): AskForApproval => ({
  granular: { sandbox_approval: true, rules: true, request_permissions, mcp_elicitations: true },
});

let outside: string;
let other: string;
beforeEach(async () => {
  // Temporary folders are open to a confined command, so that these must be elsewhere.
  const folder = await mkdtemp("/var/tmp/turnkit-permissions-");
  outside = path.join(folder, "outside");
  other = path.join(folder, "other");
  for (const each of [outside, other]) await mkdir(each);
});
afterEach(() => removeFolder(path.dirname(outside)));

interface Options {
  readonly policy?: AskForApproval;
  readonly sandbox?: SandboxPolicy;
  readonly answer?: (asked: readonly string[]) => Partial<PermissionAnswer>;
}

async function start({ policy = "on-request", sandbox = { type: "workspace-write" }, answer }: Options = {}) {
  const rig = await startRig({
    settings: { approval_policy: policy, sandbox_policy: sandbox },
    session: { features: { permissionTool: true, commandPermissions: true } },
  });
  const asked: unknown[] = [];
  const approvals: unknown[] = [];
  rig.session.subscribe(({ msg }) => {
    if (msg.type === "exec_approval_request") {
      approvals.push([msg.additional_permissions ?? null, msg.available_decisions]);
      rig.session.decide(msg.call_id, "approved" as ReviewDecision);
    }
    if (msg.type !== "request_permissions") return;
    asked.push([msg.reason, msg.permissions]);
    const write = msg.permissions.file_system?.write ?? [];
    rig.session.grantPermissions(msg.call_id, {
      permissions: { network: msg.permissions.network?.enabled ?? undefined, read: [], write },
      scope: "turn",
      strictAutoReview: false,
      ...answer?.(write),
    });
  });
  let calls = 0;
  /** One turn of these calls, one response each; what the model read of them. */
  const turn = async (...steps: readonly [name: string, args: object][]) => {
    const ids = steps.map(() => `call${++calls}`);
    for (const [index, [name, args]] of steps.entries())
      rig.model.push({ items: [functionCall(name, args, ids[index] as string)] });
    rig.model.push({ items: [message("done")] });
    await rig.turn("go");
    return ids.map((id) => rig.outputOf(id));
  };
  return { rig, asked, approvals, turn, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

const request = (permissions: object, more: object = {}): [string, object] => [
  "request_permissions",
  { permissions, reason: "to write", ...more },
];
const writing = (file: string, more: object = {}): [string, object] => [
  "exec_command",
  { cmd: `echo x > ${file} && echo wrote`, login: false, ...more },
];
const additional = (folder: string): object => ({
  sandbox_permissions: "with_additional_permissions",
  additional_permissions: { file_system: { write: [folder] } },
});
const reply = (permissions: object, scope = "turn", more: object = {}) =>
  JSON.stringify({ permissions, scope, ...more });
const nothing = { network: null, file_system: null };

describe("request_permissions", () => {
  test.each(["never", GRANULAR(false)] as const)("%j: nobody is asked, nothing is granted", async (policy) => {
    await using it = await start({ policy });
    expect(await it.turn(request({ network: { enabled: true } }))).toEqual([reply(nothing)]);
    expect(it.asked).toEqual([]);
  });

  test.each(["untrusted", GRANULAR(true)] as const)("%j: the person is asked", async (policy) => {
    await using it = await start({ policy });
    const [output] = await it.turn(request({ network: { enabled: true } }));
    expect(output).toBe(reply({ network: { enabled: true }, file_system: null }));
    expect(it.asked).toEqual([["to write", { network: { enabled: true }, file_system: null }]]);
  });

  test("asks for absolute paths, each once", async () => {
    await using it = await start();
    const { cwd } = it.rig.session.snapshot().settings;
    await it.turn(request({ file_system: { read: ["/a/"], write: ["sub/../x", "/b", "/b"] } }));
    expect(it.asked).toEqual([
      ["to write", { network: null, file_system: { read: ["/a"], write: [path.join(cwd, "x"), "/b"] } }],
    ]);
  });

  test.each([
    ["a folder inside", ["/a/b/c"], { write: ["/a/b/c"] }],
    ["more than that", ["/a"], null],
    ["a neighbour", ["/a/bc"], null],
    ["nothing", [], null],
  ])("of what is granted, what was asked for counts: %s", async (_name, write, file_system) => {
    await using it = await start({ answer: () => ({ permissions: { network: true, read: [], write } }) });
    const [output] = await it.turn(request({ file_system: { write: ["/a/b"] } }));
    expect(output).toBe(reply({ network: null, file_system }));
  });

  test("bad arguments are told, nobody is asked", async () => {
    await using it = await start();
    const args = (given: object): [string, object] => ["request_permissions", given];
    const outputs = await it.turn(
      args({}),
      args({ permissions: {} }),
      args({ permissions: { network: {}, file_system: { write: [] } } }),
      args({ permissions: { file_system: { write: "x" } } }),
      args({ permissions: { bogus: 1 } }),
      args({ permissions: { network: { enabled: true } }, environment_id: "far" }),
    );
    expect(outputs).toEqual([
      "failed to parse function arguments: missing field `permissions` at permissions",
      "request_permissions requires at least one permission",
      "request_permissions requires at least one permission",
      'failed to parse function arguments: invalid type: string "x", expected a sequence at permissions.file_system.write',
      "failed to parse function arguments: unknown field `bogus` at permissions",
      "unknown turn environment id `far`",
    ]);
    expect(it.asked).toEqual([]);
  });

  test("an interrupted turn does not wait for the answer", async () => {
    await using rig = await startRig({
      settings: { approval_policy: "on-request", sandbox_policy: { type: "workspace-write" } },
      session: { features: { permissionTool: true } },
    });
    rig.session.subscribe(({ msg }) => {
      if (msg.type === "request_permissions") void rig.session.interrupt();
    });
    rig.model.push({
      items: [functionCall("request_permissions", { permissions: { network: { enabled: true } } }, "p")],
    });
    await rig.say("go");
    await rig.seen("turn_aborted");
    rig.model.push({ items: [message("done")] });
    await rig.turn("again");
    expect(rig.outputOf("p")).toMatch(/^aborted by user after /);
  });
});

describe.skipIf(!confines)("later commands (skipped without a working bubblewrap)", () => {
  test("may write what was granted for the turn, until it ends", async () => {
    await using it = await start();
    const file = (name: string) => path.join(outside, name);
    const first = await it.turn(
      request({ file_system: { write: [outside] } }),
      writing(file("a")),
      writing(path.join(other, "a")),
    );
    const second = await it.turn(writing(file("b")));
    expect(first[0]).toBe(reply({ network: null, file_system: { write: [outside] } }));
    expect([first[1], first[2], second[0]].map((output) => String(output).endsWith("wrote\n"))).toEqual([
      true,
      false,
      false,
    ]);
    expect([existsSync(file("a")), existsSync(file("b"))]).toEqual([true, false]);
    expect(it.approvals).toEqual([]);
  });

  test("may write what was granted for the session, patches too, and other turns as well", async () => {
    await using it = await start({ sandbox: { type: "read-only" }, answer: () => ({ scope: "session" }) });
    const [output] = await it.turn(request({ file_system: { write: [outside] } }));
    expect(output).toBe(reply({ network: null, file_system: { write: [outside] } }, "session"));
    const outputs = await it.turn(
      writing(path.join(outside, "a")),
      [
        "exec_command",
        { cmd: `apply_patch <<'E'\n*** Begin Patch\n*** Add File: ${outside}/p\n+hi\n*** End Patch\nE` },
      ],
      writing(path.join(outside, ".git")),
    );
    expect(["a", "p"].map((name) => existsSync(path.join(outside, name)))).toEqual([true, true]);
    expect(outputs[2]).not.toMatch(/wrote\n$/);
    // What stood in for it while the command ran goes a moment later.
    await expect.poll(() => existsSync(path.join(outside, ".git"))).toBe(false);
    expect(it.rig.events.filter(({ type }) => type === "apply_patch_approval_request")).toEqual([]);
  });

  test("are each put to the person where the answer wants them reviewed; a session cannot be", async () => {
    await using it = await start({ answer: () => ({ strictAutoReview: true }) });
    const outputs = await it.turn(request({ file_system: { write: [outside] } }), writing(path.join(outside, "a")));
    expect(outputs[0]).toBe(
      reply({ network: null, file_system: { write: [outside] } }, "turn", { strict_auto_review: true }),
    );
    expect(it.approvals).toEqual([[{ network: null, file_system: { write: [outside] } }, ["approved", "abort"]]]);
    await it.turn(writing(path.join(outside, "b")));
    expect(it.approvals).toHaveLength(1);
    await using session = await start({ answer: () => ({ strictAutoReview: true, scope: "session" }) });
    expect(await session.turn(request({ file_system: { write: [outside] } }))).toEqual([reply(nothing)]);
  });

  test("ask for themselves what they need beyond; what was granted before needs no question", async () => {
    await using it = await start();
    const [own] = await it.turn(writing(path.join(outside, "a"), additional(outside)));
    expect(own).toMatch(/wrote\n$/);
    expect(it.approvals).toEqual([[{ network: null, file_system: { write: [outside] } }, ["approved", "abort"]]]);
    await it.turn(request({ file_system: { write: [other] } }), writing(path.join(other, "a"), additional(other)));
    expect(it.approvals).toHaveLength(1);
    await it.turn(writing(path.join(outside, "b")));
    expect(["a", "b"].map((name) => existsSync(path.join(outside, name)))).toEqual([true, false]);
  });

  test.each([
    [
      "never",
      "approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never",
    ],
    [
      "untrusted",
      "approval policy is UnlessTrusted; reject command — you cannot request additional permissions unless the approval policy is OnRequest",
    ],
  ] as const)("%s: may not ask for themselves", async (policy, text) => {
    await using it = await start({ policy });
    expect(await it.turn(writing(path.join(outside, "a"), additional(outside)))).toEqual([text]);
  });

  test("have to say what they need", async () => {
    await using it = await start();
    const { sandbox_permissions } = additional("") as { sandbox_permissions: string };
    const outputs = await it.turn(
      writing("/a", { sandbox_permissions }),
      writing("/a", { sandbox_permissions, additional_permissions: { network: {} } }),
    );
    expect(outputs).toEqual([
      "missing `additional_permissions`; provide at least one of `network` or `file_system` when using `with_additional_permissions`",
      "`additional_permissions` must include at least one requested permission in `network` or `file_system`",
    ]);
  });
});

test("both are off unless they are switched on", async () => {
  await using rig = await startRig({});
  rig.model.push({ items: [functionCall(...writing("/a", additional("/")), "call")] }, { items: [message("done")] });
  await rig.turn("go");
  expect(rig.outputOf("call")).toBe(
    "additional permissions are disabled; enable `features.exec_permission_approvals` before using `with_additional_permissions`",
  );
  const text = JSON.stringify((rig.model.requests[0] as { body: { tools: unknown } }).body.tools);
  expect(text).not.toMatch(/additional_permissions|request_permissions/);
});
