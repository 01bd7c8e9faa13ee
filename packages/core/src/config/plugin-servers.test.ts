import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "./config.js";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "plugin-servers-"));
});
afterEach(() => rm(home, { recursive: true }));

const folderOf = (name: string) => path.join(home, "plugins/cache/m", name, "1");

/** @param manifest members beside the name @param servers content of `.mcp.json` */
async function plugin(name: string, manifest: object | string, files: Readonly<Record<string, unknown>> = {}) {
  const content = typeof manifest === "string" ? manifest : JSON.stringify({ name, ...manifest });
  const all = { ".codex-plugin/plugin.json": content, ...files };
  for (const [file, text] of Object.entries(all)) {
    const at = path.join(folderOf(name), file);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, typeof text === "string" ? text : JSON.stringify(text));
  }
}

async function load(...names: string[]) {
  const tables = names.map((name) => (name.includes("\n") ? name : `[plugins."${name}@m"]\nenabled = true\n`));
  await writeFile(path.join(home, "config.toml"), tables.join(""));
  return await loadConfig({ home });
}

const server = { command: "serve", args: ["-x"] };

describe("the MCP servers of plugins", () => {
  it.each([
    ["in the manifest", { mcpServers: { a: server } }, {}],
    [
      "in the file that the manifest names",
      { mcpServers: "./its/servers.json" },
      { "its/servers.json": { a: server } },
    ],
    ["in .mcp.json", {}, { ".mcp.json": { mcpServers: { a: server } } }],
    ["in .mcp.json without a wrapper", {}, { ".mcp.json": { a: server } }],
  ])("are found %s", async (_where, manifest, files) => {
    await plugin("p", manifest, files);
    const { mcpServers, warnings } = await load("p");
    expect(warnings).toEqual([]);
    expect(mcpServers).toMatchObject({
      a: { plugin: { id: "p@m", name: "p" }, enabled: true, transport: { ...server, type: "stdio", cwd: undefined } },
    });
  });

  it("have their folder from the plugin's, and members of other programs are passed over", async () => {
    await plugin("p", {
      mcpServers: {
        inside: { ...server, type: "stdio", cwd: "./run", note: 1 },
        far: { ...server, cwd: "/elsewhere" },
        web: { type: "http", url: "https://example.org/mcp", http_headers: { a: "b" }, headers: { c: "d" } },
      },
    });
    const { mcpServers, warnings } = await load("p");
    expect(warnings).toEqual([]);
    expect(mcpServers).toMatchObject({
      inside: { transport: { cwd: path.join(folderOf("p"), "run") } },
      far: { transport: { cwd: "/elsewhere" } },
      web: { transport: { type: "http", url: "https://example.org/mcp", headers: { a: "b" } } },
    });
  });

  it("give way to the configuration's, then to the plugin's whose id comes first", async () => {
    await plugin("z", { mcpServers: { a: { command: "z" }, b: { command: "z" }, c: { command: "z" } } });
    await plugin("p", { mcpServers: { a: { command: "p" }, b: { command: "p" } } });
    const { mcpServers } = await load("z", "p", '[mcp_servers.a]\ncommand = "own"\nenabled = false\n');
    const commands = Object.entries(mcpServers).map(([name, { transport, plugin }]) => [
      name,
      transport.type === "stdio" && transport.command,
      plugin?.id,
    ]);
    expect(Object.fromEntries(commands.map(([name, ...rest]) => [name, rest]))).toEqual({
      a: ["own", undefined],
      b: ["p", "p@m"],
      c: ["z", "z@m"],
    });
    expect(mcpServers.a?.enabled).toBe(false);
  });

  it("are not there while the plugin or the feature is off", async () => {
    await plugin("p", { mcpServers: { a: server } });
    expect((await load('[plugins."p@m"]\nenabled = false\n')).mcpServers).toEqual({});
    expect((await load("p", "[features]\nplugins = false\n")).mcpServers).toEqual({});
  });

  it("obey what the configuration says of their use, and of nothing else", async () => {
    await plugin("p", { mcpServers: { a: { ...server, enabled: true } } });
    const settings = [
      '[plugins."p@m".mcp_servers.a]',
      "enabled = false",
      'enabled_tools = ["t"]',
      'disabled_tools = ["u"]',
      'default_tools_approval_mode = "prompt"',
      'command = "other"',
      '[plugins."p@m".mcp_servers.a.tools.t]',
      'approval_mode = "approve"',
      "",
    ];
    const { mcpServers } = await load("p", settings.join("\n"));
    expect(mcpServers.a).toMatchObject({
      enabled: false,
      enabledTools: ["t"],
      disabledTools: ["u"],
      approvalMode: "prompt",
      toolApprovalModes: { t: "approve" },
      transport: { command: "serve" },
    });
  });

  it("that cannot be used are left out one by one, each with a warning that names file, key and rule", async () => {
    await plugin("p", {
      mcpServers: { good: server, both: { ...server, url: "https://x" }, none: {}, odd: { command: 7 }, text: "serve" },
    });
    const { mcpServers, warnings } = await load("p");
    expect(Object.keys(mcpServers)).toEqual(["good"]);
    const file = path.join(folderOf("p"), ".codex-plugin/plugin.json");
    expect(warnings).toEqual([
      `${file}: mcpServers.both.url is not supported for stdio: a server has a command or a url; the MCP server is not used`,
      `${file}: mcpServers.none.command is missing: a server has a command or a url; the MCP server is not used`,
      `${file}: mcpServers.odd.command must be a string; the MCP server is not used`,
      `${file}: mcpServers.text must be a table; the MCP server is not used`,
    ]);
  });

  it.each([
    ["a manifest that is no JSON", "{", {}, /plugin\.json: .*; the plugin is not used$/],
    ["a list", { mcpServers: [] }, {}, /plugin\.json: mcpServers must be an object or the path of a file; /],
    ["a file outside", { mcpServers: "../../x.json" }, {}, /plugin\.json: mcpServers must be a file of the plugin; /],
    [
      "a file that is not there",
      { mcpServers: "./no.json" },
      {},
      /no\.json: ENOENT.*; the plugin's MCP servers are not /,
    ],
    ["a broken .mcp.json", {}, { ".mcp.json": "[" }, /\.mcp\.json: .*; the plugin's MCP servers are not used$/],
  ])("are none with %s", async (_what, manifest, files, warning) => {
    await plugin("p", manifest, files);
    const { mcpServers, warnings } = await load("p");
    expect(mcpServers).toEqual({});
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});
