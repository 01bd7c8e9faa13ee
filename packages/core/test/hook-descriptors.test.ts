/** Commands of hooks are started by the process that holds the terminals: none of their masters may reach them. */
import { coveringStdio, LocalHost } from "@turnkit/exec-server/local-host";
import { expect, test } from "vitest";
import { type CoverDescriptors, runHookCommand } from "../src/hooks/run-command.js";

async function descriptors(coverDescriptors: CoverDescriptors | undefined): Promise<string[]> {
  const result = await runHookCommand({
    command: 'for f in /proc/$$/fd/*; do readlink "$f" || :; done',
    cwd: "/",
    environment: { PATH: process.env.PATH },
    shell: "/bin/sh",
    stdin: "",
    timeout: 30,
    signal: new AbortController().signal,
    coverDescriptors,
  });
  if (result.type !== "exited") throw new Error(result.message);
  return result.stdout.trim().split("\n");
}

test.runIf(process.platform === "linux")("a hook's command inherits no terminal that lives", async () => {
  await using host = new LocalHost();
  await host.start({
    processId: "terminal",
    argv: ["sleep", "60"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    tty: true,
  });
  expect(await descriptors(undefined)).toContainEqual(expect.stringContaining("ptmx"));
  const covered = await descriptors(coveringStdio);
  expect(covered.length).toBeGreaterThanOrEqual(3);
  expect(covered.filter((link) => /ptmx|pts\//.test(link))).toEqual([]);
});
