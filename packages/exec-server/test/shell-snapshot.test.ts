/** What start-up files define is captured once per scope and given to every command of it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ShellSnapshots } from "../src/server/shell-snapshot.js";
import { RawClient, starting } from "./raw-client.js";
import { startServer } from "./servers.js";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "turnkit-start-up-"));
  const functions = `greet() { printf '%s from %s\\n' "$1" "$PLACE"; }\nalias shout='echo LOUD'\nshopt -s expand_aliases\n`;
  writeFileSync(join(home, ".bash_profile"), `echo run >> "$HOME/runs"\nexport PLACE='the "file"'\n${functions}`);
  writeFileSync(join(home, ".profile"), `echo run >> "$HOME/runs"\nexport PLACE=profile\n`);
});

afterEach(() => {
  vi.unstubAllEnvs();
  return removeFolder(home);
});

const runs = () => readFileSync(join(home, "runs"), "utf8").split("\n").length - 1;

function commands(client: RawClient) {
  let count = 0;
  return async (scopeId: string, script: string, env: Record<string, string> = {}, shell = "bash") => {
    const processId = `p${count++}`;
    const path = `/bin/${shell}`;
    const params = starting(processId, [path, "-lc", script], {
      env: { PATH: "/usr/bin:/bin", HOME: home, ...env },
      shellSnapshot: { scopeId, shell: { name: shell, path } },
    });
    expect((await client.request("process/start", params)).error).toBeUndefined();
    await client.waitForEvent("process/closed", processId);
    return client.output(processId);
  };
}

test("functions, aliases and variables are there, and the files ran once", async () => {
  await using server = await startServer(undefined, { concurrentRequests: 4 });
  await using client = await RawClient.ready(server.url);
  const run = commands(client);
  const script = "greet hello\nshout";
  const expected = 'hello from the "file"\nLOUD\n';
  expect(await Promise.all([run("one", script), run("one", script)])).toEqual([expected, expected]);
  expect(await run("one", script)).toBe(expected);
  expect(runs()).toBe(1);
  expect(await run("two", script)).toBe(expected);
  expect(runs()).toBe(2);
});

test("what a later command is given wins over what an earlier one was given", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  const run = commands(client);
  expect(await run("one", 'echo "$GIVEN."', { GIVEN: "first" })).toBe("first.\n");
  expect(await run("one", 'echo "$GIVEN."', { GIVEN: "second" })).toBe("second.\n");
  expect(await run("one", 'echo "$GIVEN."')).toBe(".\n");
});

test("a shell that is not captured reads its files itself, each time", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  const run = commands(client);
  for (const count of [1, 2]) {
    expect(await run("one", 'echo "$PLACE"', {}, "sh")).toBe("profile\n");
    expect(runs()).toBe(count);
  }
});

test("a file that fails leaves the command as it was", async () => {
  writeFileSync(join(home, ".bash_profile"), "exit 3\n");
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  expect(await commands(client)("one", "echo unreached")).toBe("");
});

test("a session that ends while files are being read leaves nothing behind", async () => {
  const folder = join(home, "temporary");
  mkdirSync(folder);
  vi.stubEnv("TMPDIR", folder);
  writeFileSync(join(home, ".bash_profile"), `until [ -e "$HOME/go" ]; do sleep 0.05; done; export PLACE=late\n`);
  const snapshots = new ShellSnapshots();
  const argv = ["/bin/bash", "-lc", "true"];
  const scope = { scopeId: "one", shell: { name: "bash", path: "/bin/bash" } } as const;
  const applied = snapshots.apply(scope, argv, "/tmp", { PATH: "/usr/bin:/bin", HOME: home });
  snapshots.dispose();
  writeFileSync(join(home, "go"), "");
  expect(await applied).toEqual(argv);
  expect(readdirSync(folder)).toEqual([]);
});

test("where nothing can be kept, commands read the files themselves", async () => {
  vi.stubEnv("TMPDIR", join(home, "missing"));
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  const run = commands(client);
  for (const count of [2, 3]) {
    expect(await run("one", 'echo "$PLACE"')).toBe('the "file"\n');
    expect(runs()).toBe(count);
  }
});
