/** `turnkit mcp`: servers in config.toml, listed and changed without touching anything else of it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";

const CONFIG = `# mine
model = "gpt-5.4" # the usual one

# searches
[mcp_servers.search]
command = "search" # quick
args = ["--all"]
env = { KEY = "secret" }

[tui]
vim_keys = false
`;

const fileOf = (home: Home) => readFileSync(path.join(home.path, "config.toml"), "utf8");

test("add, list, get and remove", { timeout: PROCESS_TIMEOUT }, async () => {
  await using home = new Home();
  home.write("config.toml", CONFIG);
  expect(await home.run(["mcp", "add", "docs", "--env", "A=b=c", "--", "npx", "-y", "docs"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^added MCP server docs in .*config\.toml\n$/),
  });
  expect(
    await home.run(["mcp", "add", "web", "--url", "https://example.com/mcp", "--bearer-token-env-var", "T"]),
  ).toMatchObject({
    code: 0,
  });
  const text = fileOf(home);
  for (const line of CONFIG.split("\n")) expect(text.split("\n")).toContain(line);
  expect(await home.run(["mcp", "list"])).toMatchObject({
    code: 0,
    stdout:
      "search  on   search --all\ndocs    on   npx -y docs\nweb     on   https://example.com/mcp (bearer token)\n",
  });
  const listed = JSON.parse((await home.run(["mcp", "list", "--json", "-c", "mcp_servers.docs.enabled=false"])).stdout);
  expect(listed).toMatchObject([
    {
      name: "search",
      enabled: true,
      transport: { type: "stdio", command: "search", args: ["--all"], env: { KEY: "secret" } },
    },
    { name: "docs", enabled: false, transport: { command: "npx", args: ["-y", "docs"], env: { A: "b=c" } } },
    {
      name: "web",
      transport: { type: "streamable_http", url: "https://example.com/mcp", bearer_token_env_var: "T" },
      auth_status: "bearer_token",
      startup_timeout_sec: 30,
      tool_timeout_sec: 120,
    },
  ]);
  const { stdout } = await home.run(["mcp", "get", "search"]);
  expect(stdout).toContain("env: KEY=*****");
  expect(stdout).not.toContain("secret");
  expect(JSON.parse((await home.run(["mcp", "get", "web", "--json"])).stdout)).toEqual(listed[2]);
  for (const name of ["docs", "web"]) expect(await home.run(["mcp", "remove", name])).toMatchObject({ code: 0 });
  expect(fileOf(home).trim()).toBe(CONFIG.trim());
});

test(
  "servers of plugins are listed with where they come from, and are switched off rather than removed",
  async () => {
    await using home = new Home();
    home.write("config.toml", `${CONFIG}\n[plugins."plug@market"]\nenabled = true\n`);
    const folder = path.join(home.path, "plugins/cache/market/plug/1/.codex-plugin");
    mkdirSync(folder, { recursive: true });
    const mcpServers = { brought: { command: "serve" } };
    writeFileSync(path.join(folder, "plugin.json"), JSON.stringify({ name: "plug", mcpServers }));
    expect((await home.run(["mcp", "list"])).stdout).toContain("brought  on   serve (plugin plug@market)\n");
    const key = 'plugins."plug@market".mcp_servers.brought.enabled';
    expect(await home.run(["mcp", "remove", "brought"])).toMatchObject({
      code: 2,
      stderr: `turnkit: brought comes from the plugin plug@market\n\`turnkit config set '${key}' false\` switches it off.\n`,
    });
    expect(await home.run(["config", "set", key, "false"])).toMatchObject({ code: 0 });
    expect((await home.run(["mcp", "list"])).stdout).toContain("brought  off");
    expect((await home.run(["mcp", "add", "brought", "--", "mine"])).stdout).toMatch(/^added /);
    expect((await home.run(["mcp", "list"])).stdout).toMatch(/brought {2}on {3}mine\n/);
  },
  PROCESS_TIMEOUT,
);

test.each([
  [["mcp", "get", "serch"], "there is no MCP server serch; did you mean search?"],
  [["mcp", "remove", "other"], "there is no MCP server other"],
  [["mcp", "add", "a b", "--", "x"], "NAME must consist of letters, digits, - and _"],
  [["mcp", "add", "a"], "a server needs a command after `--`, or a --url"],
  [["mcp", "add", "a", "--url", "http://x", "--", "x"], "a server has a command or a --url, not both"],
  [["mcp", "add", "a", "--env", "A", "--", "x"], '--env must be NAME=VALUE, not "A"'],
  [["mcp", "add", "a", "--bearer-token-env-var", "T", "--", "x"], "--bearer-token-env-var is for servers with a --url"],
])("%j is refused and changes nothing", { timeout: PROCESS_TIMEOUT }, async (args, message) => {
  await using home = new Home();
  home.write("config.toml", CONFIG);
  const { code, stderr } = await home.run(args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  expect(fileOf(home)).toBe(CONFIG);
});

test("a URL that is none breaks the configuration and is not written", { timeout: PROCESS_TIMEOUT }, async () => {
  await using home = new Home();
  home.write("config.toml", CONFIG);
  expect(await home.run(["mcp", "add", "web", "--url", "ftp://x"])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("mcp_servers.web.url must be an http or https URL"),
  });
  expect(fileOf(home)).toBe(CONFIG);
});
