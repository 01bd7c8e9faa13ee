/** Who is asked what because of MCP servers: approvals, forms and links of servers, servers that skills need. */
import type { UserInput } from "@turnkit/protocol";
import { expect, test } from "vitest";
import type { ElicitationAnswer, Skill } from "../src/index.js";
import {
  calls,
  command,
  FAULT_SERVER,
  type McpRigOptions,
  type NamedCall,
  scratch,
  server,
  startWithMcp,
} from "./mcp-rig.js";
import { request } from "./session-rig.js";

const settings = {
  model: "gpt-5",
  model_provider_id: "p",
  cwd: "/",
  approval_policy: "on-request",
  sandbox_policy: { type: "read-only" },
  collaboration_mode: {
    mode: "default",
    settings: { model: "gpt-5", reasoning_effort: null, developer_instructions: null },
  },
} as const;
const fault = server([FAULT_SERVER]);
const trusted = { ...fault, approvalMode: "approve" } as const;

async function asking(
  named: readonly NamedCall[],
  answers: readonly ElicitationAnswer[],
  options: Partial<McpRigOptions> = {},
) {
  const rig = await startWithMcp(calls(...named), { servers: { fault }, session: { settings }, ...options });
  const left = [...answers];
  const asked: { readonly server_name: string; readonly request: unknown; readonly turn_id?: string | null }[] = [];
  rig.session.subscribe(({ msg }) => {
    if (msg.type !== "elicitation_request") return;
    asked.push(msg);
    const answer = left.shift();
    if (answer) rig.session.resolveElicitation(msg.server_name, msg.id, answer);
  });
  return Object.assign(rig, { asked });
}

test.concurrent("a tool that may change something is asked for; accept, decline and cancel", async () => {
  const named = [1, 2, 3].map((n) => ["mcp__fault__structured", { n }, `c${n}`] as const);
  await using rig = await asking(
    [...named, ["mcp__fault__read", {}, "r"]],
    [{ action: "accept" }, { action: "decline" }, { action: "cancel" }],
  );
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.asked).toHaveLength(3);
  expect(rig.asked[0]).toMatchObject({
    server_name: "fault",
    turn_id: expect.any(String),
    request: {
      mode: "form",
      message: 'Allow the fault MCP server to run tool "structured"?',
      requested_schema: { type: "object", properties: {} },
      _meta: {
        codex_approval_kind: "mcp_tool_call",
        persist: ["session", "always"],
        tool_description: "does structured",
        tool_params: { n: 1 },
      },
    },
  });
  expect(rig.outputOf("c1")).toContain('{"degrees":21}');
  expect(rig.outputOf("c2")).toContain("user rejected MCP tool call");
  expect(rig.outputOf("c3")).toContain("user cancelled MCP tool call");
  expect(rig.outputOf("r")).toContain('"text":"read"');
});

test.concurrent("an answer may hold for the session or for good", async () => {
  const kept: string[] = [];
  const named = ["a1", "a2"].map((id) => ["mcp__fault__structured", {}, id] as const);
  const more = ["b1", "b2"].map((id) => ["mcp__fault__fail", {}, id] as const);
  await using rig = await asking(
    [...named, ...more],
    [
      { action: "accept", meta: { persist: "session" } },
      { action: "accept", meta: { persist: "always" } },
    ],
    { mcp: { keepApproval: async (name, tool) => void kept.push(`${name}/${tool}`) } },
  );
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.asked).toHaveLength(2);
  expect(kept).toEqual(["fault/fail"]);
});

test.concurrent("who is never asked: tools that need it are refused, unless everything is allowed", async () => {
  const never = { ...settings, approval_policy: "never" } as const;
  const named = [["mcp__fault__structured", {}, "c"]] as const;
  await using rig = await asking([...named], [], { session: { settings: never } });
  await rig.started("fault");
  await rig.say("go");
  await rig.next("task_complete");
  expect(rig.outputOf("c")).toContain("MCP tool call requires approval, but approval policy is never");
  const open = { ...never, sandbox_policy: { type: "danger-full-access" } } as const;
  await using free = await asking(
    [
      ["mcp__fault__structured", {}, "c"],
      ["mcp__fault__ask", {}, "q"],
    ],
    [],
    {
      session: { settings: open },
    },
  );
  await free.started("fault");
  await free.say("go");
  await free.next("task_complete");
  expect(free.outputOf("c")).toContain('{"degrees":21}');
  expect(free.outputOf("q")).toContain('{\\"action\\":\\"decline\\"}');
  expect([...rig.asked, ...free.asked]).toEqual([]);
});

test.concurrent("what a server asks reaches the person, and the answer goes back; deadlines move meanwhile", async () => {
  const quick = { ...trusted, toolTimeoutMs: 400 };
  await using rig = await asking(
    [
      ["mcp__fault__ask", {}, "form"],
      ["mcp__fault__link", {}, "link"],
    ],
    [],
    { servers: { fault: quick } },
  );
  await rig.started("fault");
  await rig.say("go");
  const form = await rig.next("elicitation_request");
  expect(form).toMatchObject({
    server_name: "fault",
    request: {
      mode: "form",
      _meta: null,
      message: "Who are you?",
      requested_schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
  });
  // Longer than the call may take without anybody being asked.
  await new Promise((resolve) => setTimeout(resolve, 700));
  rig.session.resolveElicitation("fault", form.id, { action: "accept", content: { name: "Bob" } });
  const link = await rig.next("elicitation_request", 2);
  expect(link.request).toEqual({
    mode: "url",
    _meta: null,
    message: "Sign in",
    url: "http://127.0.0.1/sign-in",
    elicitation_id: "e1",
  });
  rig.session.resolveElicitation("fault", link.id, { action: "decline" });
  rig.session.resolveElicitation("fault", link.id, { action: "accept" });
  await rig.next("task_complete");
  expect(rig.outputOf("form")).toContain('{\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Bob\\"}}');
  expect(rig.outputOf("link")).toContain('{\\"action\\":\\"decline\\"}');
});

test.concurrent("a question ends with its turn", async () => {
  await using rig = await asking([["mcp__fault__ask", {}, "q"]], [], { servers: { fault: trusted } });
  await rig.started("fault");
  await rig.say("go");
  await rig.next("elicitation_request");
  await rig.session.interrupt();
  expect(rig.session.snapshot().activeTurnId).toBeNull();
  await rig.say("again");
  await rig.next("task_complete");
  expect(rig.outputOf("q")).toMatch(/^aborted by user after/);
});

const slow = (log: string, ms: number) => command(fault, { env: { MCP_TEST_LOG: log, MCP_TEST_START_MS: String(ms) } });

async function offeredAfter(input: readonly UserInput[], startMs: number) {
  await using place = await scratch();
  await using rig = await startWithMcp([], { servers: { slow: slow(place.log, startMs) } });
  // The first turn gives servers a moment in any case.
  await rig.say("first");
  await rig.next("task_complete");
  await rig.session.submit(request(input), "StartOrSteer");
  await rig.next("task_complete", 2);
  return rig.model.requests.at(-1)!.tools.some(({ name }) => name === "mcp__slow__read");
}

const mention = (path: string): UserInput => ({ type: "mention", name: "m", path });
const words = (text: string): UserInput => ({ type: "text", text, text_elements: [] });

test.concurrent("a mentioned server runs before the model is asked; others, empty and unknown names are not waited for", async () => {
  const startMs = 5000;
  const [byMention, byLink, not] = await Promise.all([
    offeredAfter([words("hey"), mention("mcp://slow")], startMs),
    offeredAfter([words("see [$m](mcp://slow) please")], startMs),
    offeredAfter([words("mcp://slow"), mention("mcp://"), mention("mcp://other"), mention("app://slow")], startMs),
  ]);
  expect({ byMention, byLink, not }).toEqual({ byMention: true, byLink: true, not: false });
});

test.concurrent("a mentioned server that fails does not stop the turn; waiting for one ends with the turn", async () => {
  await using place = await scratch();
  const servers = { missing: command(fault, { command: "/nonexistent" }), slow: slow(place.log, 60_000) };
  await using rig = await startWithMcp([], { servers });
  await rig.session.submit(request([words("hey"), mention("mcp://missing")]), "StartOrSteer");
  await rig.next("task_complete");
  await rig.session.submit(request([words("hey"), mention("mcp://slow")]), "StartOrSteer");
  await rig.next("task_started", 2);
  await rig.session.interrupt();
  expect(rig.events.at(-1)).toMatchObject({ type: "turn_aborted" });
  expect(rig.model.requests).toHaveLength(1);
});

const skill: Skill = {
  name: "dep",
  description: "d",
  shortDescription: undefined,
  path: "/nowhere/SKILL.md",
  foundAt: "/nowhere/SKILL.md",
  scope: "user",
  enabled: true,
  plugin: undefined,
  dependencies: [
    {
      type: "mcp",
      value: "helper",
      description: "Helps",
      transport: "stdio",
      command: `${process.execPath} "${FAULT_SERVER}"`,
      url: undefined,
    },
  ],
};

test.concurrent("a skill that needs a server asks once, keeps what was agreed to, and the server's tools are there", async () => {
  const kept: unknown[] = [];
  const session = { settings, skills: async () => [skill] };
  const mcp = { keepServer: async (...given: unknown[]) => void kept.push(given) };
  await using rig = await asking([], [{ action: "accept" }], { servers: {}, session, mcp });
  await rig.say("use $dep");
  await rig.next("task_complete");
  expect(rig.asked).toMatchObject([
    {
      server_name: "helper",
      request: {
        mode: "form",
        message: expect.stringContaining('The skill "dep" needs the MCP server "helper" (Helps)'),
      },
    },
  ]);
  expect(kept).toMatchObject([
    ["helper", { transport: { type: "stdio", command: process.execPath, args: [FAULT_SERVER] }, enabled: true }],
  ]);
  expect(rig.model.requests[0]!.tools.map(({ name }) => name)).toContain("mcp__helper__read");
  await rig.say("use $dep again");
  await rig.next("task_complete", 2);
  expect(rig.asked).toHaveLength(1);
});

test.concurrent("a refused server is not asked for again and not started; nobody is asked under policy never", async () => {
  const skills = async () => [skill];
  await using rig = await asking([], [{ action: "decline" }], { servers: {}, session: { settings, skills } });
  for (const count of [1, 2]) {
    await rig.say("use $dep");
    await rig.next("task_complete", count);
  }
  expect(rig.asked).toHaveLength(1);
  expect(await rig.session.mcpServers()).toEqual([]);
  await using quiet = await asking([], [], {
    servers: {},
    session: { settings: { ...settings, approval_policy: "never" }, skills },
  });
  await quiet.say("use $dep");
  await quiet.next("task_complete");
  expect(quiet.asked).toEqual([]);
  expect(quiet.events).toContainEqual({
    type: "warning",
    message: 'The skill "dep" needs the MCP server "helper", which is not configured.',
  });
});

test.concurrent("the question about a skill's server ends with the turn", async () => {
  await using rig = await asking([], [], { servers: {}, session: { settings, skills: async () => [skill] } });
  await rig.say("use $dep");
  await rig.next("elicitation_request");
  await rig.session.interrupt();
  expect(await rig.session.mcpServers()).toEqual([]);
  expect(rig.model.requests).toEqual([]);
});
