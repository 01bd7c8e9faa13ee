import { mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { describe, expect, it } from "vitest";
import { SLASH_COMMANDS } from "../src/tui/composer/slash-commands.js";
import { type RunningInterface, startInterface } from "./support/interface.js";
import { until } from "./support/virtual-terminal.js";

class Folder implements AsyncDisposable {
  readonly path = mkdtempSync(path.join(tmpdir(), "turnkit-slash-"));
  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.path);
  }
}

function inFolder(ui: RunningInterface, cwd: string): void {
  ui.app.update({ ...ui.app.state, settings: { ...ui.app.state.settings, cwd } });
}

const asked = (ui: RunningInterface, method: string): Promise<Record<string, unknown>[]> =>
  until(
    () => ui.server.requestsOf(method),
    (list) => list.length === 1,
    method,
  );

describe("/compact", () => {
  it("asks for it; the transcript says while it runs and when it is done, once", async () => {
    await using ui = await startInterface();
    ui.terminal.submit("/compact");
    expect(await asked(ui, "thread/compact/start")).toEqual([{ threadId: "thread-1" }]);
    ui.server.turnStarted();
    ui.server.say("item/started", { item: { type: "contextCompaction", id: "k" } });
    await ui.shows("• Summarising the history to free context");
    ui.server.say("item/completed", { item: { type: "contextCompaction", id: "k" } });
    const text = await ui.shows("• Summarised the history to free context");
    expect(text).not.toContain("Summarising");
    // What comes later stands below it: nothing of it stays unfinished.
    expect(ui.app.state.transcript.live).toEqual([]);
  });

  it("waits for the end of a turn", async () => {
    await using ui = await startInterface();
    ui.server.turnStarted();
    ui.terminal.submit("/compact");
    await ui.shows("/compact has to wait until the turn has ended");
    expect(ui.server.requestsOf("thread/compact/start")).toEqual([]);
  });
});

describe("/init", () => {
  it("has the model write AGENTS.md", async () => {
    await using folder = new Folder();
    await using ui = await startInterface();
    inFolder(ui, folder.path);
    ui.terminal.submit("/init");
    expect(JSON.stringify(await asked(ui, "turn/start"))).toContain("Write a file AGENTS.md");
  });

  it("leaves one that is there alone, and says so", async () => {
    await using folder = new Folder();
    writeFileSync(path.join(folder.path, "AGENTS.md"), "mine");
    await using ui = await startInterface();
    inFolder(ui, folder.path);
    ui.terminal.submit("/init");
    await ui.shows(/is there already and stays as it\s+is/);
    expect(ui.server.requestsOf("turn/start")).toEqual([]);
  });
});

describe("lists", () => {
  it("/skills names skills, what is switched off, and what cannot be read", async () => {
    await using ui = await startInterface();
    ui.server.results.set("skills/list", {
      data: [
        {
          cwd: "/home/ada/project",
          skills: [
            { name: "release", description: "Publishes\nit.", path: "/s", scope: "repo", enabled: true },
            { name: "old", description: "Gone.", path: "/o", scope: "user", enabled: false },
          ],
          errors: [{ path: "/bad/SKILL.md", message: "no description" }],
        },
      ],
    });
    ui.terminal.submit("/skills");
    const text = await ui.shows("no description");
    expect(text).toContain("$release  Publishes it.");
    expect(text).toContain("$old (switched off)  Gone.");
    expect(text).toContain("! /bad/SKILL.md: no description");
  });

  it("/mcp names servers, their state and tools", async () => {
    await using ui = await startInterface();
    const server = { resources: [], resourceTemplates: [], serverInfo: null, pluginId: null };
    ui.server.results.set("mcpServerStatus/list", {
      data: [
        {
          ...server,
          name: "files",
          runtimeStatus: "connected",
          tools: { read: {}, write: {} },
          authStatus: "unsupported",
        },
        { ...server, name: "wiki", runtimeStatus: "failed", tools: {}, authStatus: "notLoggedIn" },
      ],
      nextCursor: null,
    });
    ui.terminal.submit("/mcp");
    const text = await ui.shows("wiki");
    expect(text).toContain("files  connected · 2 tools");
    expect(text).toContain("read, write");
    expect(text).toContain("wiki  failed to start · not logged in · 0 tools");
  });

  it.each([
    ["/skills", "skills/list", { data: [] }, "No skills."],
    ["/mcp", "mcpServerStatus/list", { data: [], nextCursor: null }, "No MCP servers."],
  ])("%s says when there is nothing", async (command, method, result, words) => {
    await using ui = await startInterface();
    ui.server.results.set(method, result);
    ui.terminal.submit(command);
    await ui.shows(words);
  });
});

it("/output and Ctrl-O show a folded output in full, also while a question waits", async () => {
  await using ui = await startInterface();
  const output = Array.from({ length: 40 }, (_, row) => `row ${row + 1}.\n`).join("");
  ui.server.turnStarted();
  ui.server.say("item/started", ui.server.command("c", "seq 40", { processId: null }));
  const ended = { status: "completed", exitCode: 0, durationMs: 1, aggregatedOutput: output };
  ui.server.say("item/completed", ui.server.command("c", "seq 40", ended));
  expect(await ui.shows("28 more lines")).not.toContain("row 20.");
  ui.server.ask(0, "item/commandExecution/requestApproval", { itemId: "a", startedAtMs: 0, command: "ls", cwd: "/" });
  await ui.shows("Run this command?");
  ui.terminal.type("\x0f");
  await ui.shows("row 20.");
  expect(ui.server.answers).toEqual([]);
});

it("/help names every command", async () => {
  await using ui = await startInterface();
  ui.terminal.submit("/help");
  const text = await ui.shows("/quit");
  for (const { name, description } of SLASH_COMMANDS)
    expect(text).toMatch(new RegExp(`/${name}\\b.*${description.slice(0, 12).replace(/[$.*+?()[\]{}|^\\]/g, "\\$&")}`));
});

describe.each([
  [80, 24],
  [40, 15],
] as const)("/status at %dx%d", (columns, rows) => {
  it("says everything; long paths begin at home and are broken between folders", async () => {
    await using ui = await startInterface([columns, rows]);
    const rolloutPath = `${homedir()}/.turnkit/sessions/2026/12/01/rollout-2026-12-01T04-27-46-01a22fdb.jsonl`;
    ui.app.update({ ...ui.app.state, settings: { ...ui.app.state.settings, rolloutPath } });
    ui.terminal.submit("/status");
    await ui.shows("turnkit resume");
    await expect(await ui.terminal.text()).toMatchFileSnapshot(`golden/status-${columns}x${rows}.txt`);
  });
});
