/** `turnkit mcp login` and `logout` as a person runs them, against a real authorization server. */
import { statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { OAuthServer } from "../../../packages/core/test/oauth-server.js";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";

/** Runs `mcp login guarded`; `visit` gets the printed address as soon as it is there. */
function login(home: Home, visit: (url: string, kill: (signal: NodeJS.Signals) => void) => void, ...more: string[]) {
  let seen = "";
  return home.run(["mcp", "login", "guarded", ...more], {
    started: (child) =>
      child.stdout?.on("data", (text: string) => {
        const before = seen;
        seen += text;
        const found = (whole: string) => /^(http\S+)\n/m.exec(whole)?.[1];
        const url = found(seen);
        if (url !== undefined && found(before) === undefined) visit(url, (signal) => child.kill(signal));
      }),
  });
}

async function guarded() {
  const oauth = await OAuthServer.start();
  const home = new Home();
  home.write("config.toml", `[mcp_servers.guarded]\nurl = "${oauth.mcpUrl}"\n`);
  return {
    oauth,
    home,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await oauth[Symbol.asyncDispose]();
    },
  };
}

test("login, list and logout", { timeout: PROCESS_TIMEOUT }, async () => {
  await using at = await guarded();
  const { oauth, home } = at;
  const list = async () => (await home.run(["mcp", "list"])).stdout;
  expect(await list()).toBe(`guarded  on   ${oauth.mcpUrl} (not logged in)\n`);
  const done = await login(home, (url) => void oauth.visit(url), "--scopes", "a,b");
  expect(done).toEqual({ code: 0, stderr: "", stdout: expect.stringMatching(/\nlogged in to guarded\n$/) });
  expect(oauth.authorizations).toMatchObject([{ scope: "a b" }]);
  expect(statSync(path.join(home.path, ".credentials.json")).mode & 0o777).toBe(0o600);
  expect(await list()).toBe(`guarded  on   ${oauth.mcpUrl} (logged in)\n`);
  expect(JSON.parse((await home.run(["mcp", "list", "--json"])).stdout)).toMatchObject([{ auth_status: "o_auth" }]);
  expect(await home.run(["mcp", "logout", "guarded"])).toMatchObject({ code: 0, stdout: "logged out of guarded\n" });
  expect(await home.run(["mcp", "logout", "guarded"])).toMatchObject({
    code: 0,
    stdout: "there was no login to guarded\n",
  });
  for (const secret of oauth.secrets) expect(JSON.stringify(done)).not.toContain(secret);
});

test("a login that is refused or interrupted says so and keeps nothing", { timeout: PROCESS_TIMEOUT }, async () => {
  await using at = await guarded();
  const { oauth, home } = at;
  oauth.behaviour.deny = true;
  expect(await login(home, (url) => void oauth.visit(url))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "cannot log in to guarded: OAuth provider returned `access_denied`: the person said no",
    ),
  });
  expect(await login(home, (_url, kill) => kill("SIGINT"))).toMatchObject({ code: 130, stderr: "" });
  const { stdout } = await home.run(["mcp", "get", "guarded", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ auth_status: "not_logged_in" });
});

test.each([
  [["mcp", "login", "gaurded"], 2, "there is no MCP server gaurded; did you mean guarded?"],
  [["mcp", "login", "guarded", "--scopes", "a,,b"], 2, '--scopes must be words with commas between them, not "a,,b"'],
  [["mcp", "login", "guarded"], 1, "cannot log in to guarded: cannot reach the server: fetch failed"],
  [["mcp", "logout", "command"], 1, "cannot log out of command: OAuth logout is only supported for streamable_http"],
] as const)("%j is refused in one line", { timeout: PROCESS_TIMEOUT }, async (args, code, message) => {
  await using home = new Home();
  home.write(
    "config.toml",
    '[mcp_servers.guarded]\nurl = "http://127.0.0.1:1/mcp"\n[mcp_servers.command]\ncommand = "x"\n',
  );
  expect(await home.run(args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
});
