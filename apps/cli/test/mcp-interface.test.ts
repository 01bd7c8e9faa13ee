/** What a person sees of MCP servers: calls with what they were given and gave, and questions to answer. */
import { expect, test } from "vitest";
import { startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

type Interface = Awaited<ReturnType<typeof startInterface>>;

const elicitation = (ui: Interface, id: number, params: Record<string, unknown>) =>
  ui.server.ask(id, "mcpServer/elicitation/request", { serverName: "files", _meta: null, ...params });

async function answer(ui: Interface, count: number): Promise<unknown> {
  await until(
    () => ui.server.answers.length,
    (length) => length === count,
  );
  return ui.server.answers.at(-1)?.result;
}

/** Keys reach a prompt once it has been drawn. */
async function type(ui: Interface, shown: string, keys: readonly string[]): Promise<void> {
  await ui.shows(shown);
  await until(
    () => ui.app.state.prompts[0]?.drawn,
    (drawn) => drawn === true,
  );
  for (const key of keys) ui.terminal.type(key);
}

const mcpItem = (more: Record<string, unknown>) => ({
  type: "mcpToolCall",
  id: "m1",
  server: "files",
  tool: "read",
  arguments: { path: "a.txt" },
  status: "inProgress",
  result: null,
  error: null,
  durationMs: null,
  ...more,
});

test("a call shows its server, its arguments and its result, or its error", async () => {
  await using ui = await startInterface();
  ui.server.turnStarted();
  ui.server.say("item/started", { item: mcpItem({}), startedAtMs: 1 });
  await ui.shows("files · read");
  await ui.shows('{"path":"a.txt"}');
  const text = Array.from({ length: 11 }, (_, index) => `row ${index}`).join("\n");
  const result = {
    content: [
      { type: "text", text },
      { type: "image", data: "" },
    ],
    structuredContent: null,
    _meta: null,
  };
  ui.server.say("item/completed", { item: mcpItem({ status: "completed", result }), completedAtMs: 2 });
  await ui.shows("└ row 0");
  await ui.shows("… 4 more lines");
  const failed = mcpItem({
    id: "m2",
    tool: "write",
    status: "failed",
    error: { message: "user rejected MCP tool call" },
  });
  ui.server.say("item/completed", { item: failed, completedAtMs: 3 });
  await ui.shows("└ user rejected MCP tool call");
});

test("a call that needs leave is allowed for the session or declined", async () => {
  await using ui = await startInterface();
  ui.server.turnStarted();
  const params = {
    mode: "form",
    message: 'Allow the files MCP server to run tool "write"?',
    requestedSchema: { type: "object", properties: {} },
    _meta: { codex_approval_kind: "mcp_tool_call", persist: ["session", "always"], tool_params: { path: "b.txt" } },
  };
  elicitation(ui, 0, params);
  await type(ui, '"path": "b.txt"', ["a"]);
  expect(await answer(ui, 1)).toEqual({ action: "accept", content: {}, _meta: { persist: "session" } });
  elicitation(ui, 1, { ...params, message: "And once more?" });
  await type(ui, "And once more?", ["n"]);
  expect(await answer(ui, 2)).toEqual({ action: "decline", content: null, _meta: null });
});

test("a link is shown whole, and agreed to or not", async () => {
  await using ui = await startInterface();
  ui.server.turnStarted();
  elicitation(ui, 0, { mode: "url", message: "Sign in to files", url: "https://example.com/in", elicitationId: "e" });
  await type(ui, "https://example.com/in", ["y"]);
  expect(await answer(ui, 1)).toEqual({ action: "accept", content: {}, _meta: null });
});

const form = {
  mode: "form",
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name" },
      colour: {
        type: "string",
        oneOf: [
          { const: "r", title: "Red" },
          { const: "g", title: "Green" },
        ],
      },
      age: { type: "integer" },
      member: { type: "boolean" },
    },
    required: ["name"],
  },
};

test("a form of plain fields is filled in, with values of their types; what does not fit is asked again", async () => {
  await using ui = await startInterface();
  ui.server.turnStarted();
  elicitation(ui, 0, form);
  await type(ui, "files: Who are you?", ["Bob", "\r"]);
  await type(ui, "colour (optional)", ["2"]);
  await type(ui, "age (optional, integer)", ["old", "\r"]);
  await type(ui, "member (optional, boolean)", ["1"]);
  await ui.shows("age must be a whole number");
  expect(ui.server.answers).toEqual([]);
  await type(ui, "age (optional, integer)", ["\x7f", "\x7f", "\x7f", "42", "\r"]);
  await type(ui, "member (optional, boolean)", ["1"]);
  expect(await answer(ui, 1)).toEqual({
    action: "accept",
    content: { name: "Bob", colour: "g", age: 42, member: true },
    _meta: null,
  });
});

test("escape cancels the form and not the turn", async () => {
  await using ui = await startInterface();
  ui.server.turnStarted();
  elicitation(ui, 0, form);
  await type(ui, "files: Who are you?", ["\x1b"]);
  expect(await answer(ui, 1)).toEqual({ action: "cancel", content: null, _meta: null });
  expect(ui.server.requestsOf("turn/interrupt")).toEqual([]);
});
