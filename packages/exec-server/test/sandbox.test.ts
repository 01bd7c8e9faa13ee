/** Confined processes, in-process and over a connection. Where bubblewrap does not work, the refusal is what counts. */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectExecServer } from "@turnkit/exec-server";
import { LocalHost } from "@turnkit/exec-server/local-host";
import type { ExecSandbox } from "@turnkit/protocol/exec";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workingBubblewrap } from "../src/sandbox/bubblewrap.js";
import { Recording, request, run } from "./host-cases.js";
import { RawClient } from "./raw-client.js";
import { startServer } from "./servers.js";

const folder = mkdtempSync(join(tmpdir(), "turnkit-sandbox-"));
let works = false;

beforeAll(async () => {
  works = await workingBubblewrap().then(
    () => true,
    () => false,
  );
});
afterAll(() => removeFolder(folder));

type Entries = Extract<
  Extract<ExecSandbox["permissions"], { type: "managed" }>["file_system"],
  { type: "restricted" }
>["entries"];

function sandbox(more: Entries = [], network = "restricted"): ExecSandbox {
  const entries: Entries = [{ path: { type: "special", value: { kind: "root" } }, access: "read" }, ...more];
  return {
    permissions: { type: "managed", file_system: { type: "restricted", entries }, network },
    windowsSandboxLevel: "disabled",
  };
}

const writable: Entries = [{ path: { type: "path", path: folder }, access: "write" }];

test("a read-only process cannot write, and its failure is marked", async () => {
  await using host = new LocalHost();
  const start = () => run(host, `echo y > ${folder}/read-only`, { sandbox: sandbox() });
  if (!works) {
    await expect(start()).rejects.toThrow(/bubblewrap/);
    return;
  }
  const recording = await start();
  expect(recording.text("stderr")).toContain("Read-only file system");
  expect(recording.events.find((event) => event.type === "exited")).toMatchObject({ sandboxDenied: true });
  expect(existsSync(join(folder, "read-only"))).toBe(false);
});

test("a workspace can be written and what is closed in it cannot be seen", async () => {
  writeFileSync(join(folder, "secret"), "hidden");
  const hidden: Entries = [{ path: { type: "path", path: join(folder, "secret") }, access: "none" }];
  await using host = new LocalHost();
  const start = () =>
    run(host, `cat ${folder}/secret; echo y > ${folder}/written`, { sandbox: sandbox([...writable, ...hidden]) });
  if (!works) {
    await expect(start()).rejects.toThrow(/bubblewrap/);
    return;
  }
  const recording = await start();
  expect(recording.text("stdout")).toBe("");
  expect(recording.exitCode).toBe(0);
  expect(existsSync(join(folder, "written"))).toBe(true);
});

test("a confined process has no network, a terminal if asked for, its environment and its interrupts", async () => {
  await using server = await startServer();
  await using host = await connectExecServer(server.url);
  const script =
    "trap 'echo trapped; exit 7' INT; cat /proc/net/dev | grep -c :; env | sort; echo ready; read x; sleep 60";
  for (const tty of [false, true]) {
    const start = () =>
      host.start(
        request(["/bin/bash", "-c", script], {
          sandbox: sandbox(),
          tty,
          pipeStdin: true,
          env: { PATH: "/usr/bin:/bin" },
        }),
      );
    if (!works) {
      await expect(start()).rejects.toThrow(/params\.sandbox: .*bubblewrap/);
      continue;
    }
    const process = await start();
    const recording = new Recording(process);
    await recording.until(() => recording.text().includes("ready"));
    // Only the loopback device is there.
    expect(recording.text()).toMatch(/^1\r?\n/);
    await process.interrupt();
    await recording.done;
    expect(recording.text()).toContain("trapped");
    expect(recording.exitCode).toBe(7);
  }
});

/** Whether the process must be started by a shell: what is closed below /proc hides the launcher. */
const WAYS: readonly Entries[] = [[], [{ path: { type: "path", path: "/proc/version" }, access: "none" }]];

test("a confined process takes signals as a free one does, has its name, and fails in its own words", async (context) => {
  context.skip(!works, "needs bubblewrap");
  await using host = new LocalHost();
  const signals = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status";
  for (const tty of [false, true]) {
    const free = (await run(host, signals, { tty })).text();
    expect(free).toMatch(/^SigBlk:\t0+\r?\nSigIgn:\t0+\r?\n/);
    for (const way of WAYS) {
      const confined = { sandbox: sandbox(way), tty };
      expect((await run(host, signals, confined)).text()).toBe(free);
      const named = await run(host, ["sh", "-c", "tr '\\0' ' ' < /proc/$$/cmdline; exit 3"], {
        ...confined,
        arg0: "own",
      });
      expect([named.text().split(" ")[0], named.exitCode]).toEqual(["own", 3]);
      const ended = await run(host, "kill -PIPE $$; echo lives", confined);
      expect([ended.text(), ended.exitCode]).toEqual(["", 128 + 13]);
    }
  }
});

test("a program that is hidden from itself ends with 127", async (context) => {
  context.skip(!works, "needs bubblewrap");
  await using host = new LocalHost();
  const program = join(folder, "hidden-program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const hidden: Entries = [{ path: { type: "path", path: folder }, access: "none" }];
  const recording = await run(host, [program], { sandbox: sandbox(hidden) });
  expect(recording.text("stderr")).toMatch(/cannot be started in the sandbox|No such file/);
  expect(recording.exitCode).toBe(127);
});

test("a profile this host cannot enforce is refused by the name of its field", async () => {
  await using host = new LocalHost();
  const unknown: Entries = [{ path: { type: "special", value: { kind: "moon" } }, access: "read" }];
  await expect(run(host, "true", { sandbox: sandbox(unknown) })).rejects.toThrow(
    "params.sandbox.permissions.file_system.entries[1].path: special path `moon` is not supported",
  );
  await expect(run(host, "true", { sandbox: { permissions: {} } })).rejects.toThrow("sandbox.");
});

test("file access is confined as well", async () => {
  await using server = await startServer();
  await using client = await RawClient.ready(server.url);
  const file = join(folder, "file");
  writeFileSync(file, "text");
  const path = `file://${file}`;
  const read = await client.request("fs/readFile", { path, sandbox: sandbox() });
  expect(read.result).toEqual({ dataBase64: Buffer.from("text").toString("base64") });
  const write = { path, dataBase64: "" };
  const refused = await client.request("fs/writeFile", { ...write, sandbox: sandbox() });
  expect(refused.error).toEqual({ code: -32603, message: "Read-only file system (os error 30)" });
  expect((await client.request("fs/writeFile", { ...write, sandbox: sandbox(writable) })).result).toEqual({});
  const none: Entries = [{ path: { type: "path", path: folder }, access: "none" }];
  const hidden = await client.request("fs/readFile", { path, sandbox: sandbox(none) });
  expect(hidden.error).toEqual({ code: -32603, message: "Permission denied (os error 13)" });
});
