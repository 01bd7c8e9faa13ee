/**
 * Ways out of the sandbox, tried for real by a confined shell. Each case looks at what is outside afterwards, and the
 * controls show that the same words do work for a process that is not confined.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { delimiter, join } from "node:path";
import { connectExecServer } from "@turnkit/exec-server";
import { LocalHost } from "@turnkit/exec-server/local-host";
import type { ExecSandbox } from "@turnkit/protocol/exec";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { sweep, usePlaceholders } from "../src/sandbox/placeholders.js";
import { request, run } from "./host-cases.js";
import { bundle, SERVER_SOURCE, startProgram } from "./programs.js";

const host = new LocalHost();
const confines = await host.canConfine();
const has = (program: string) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

type Entries = Extract<
  Extract<ExecSandbox["permissions"], { type: "managed" }>["file_system"],
  { type: "restricted" }
>["entries"];

const PROTECTED = [".git", ".codex", ".turnkit", ".agents"];
let top: string;
let work: string;
let outside: string;

beforeEach(() => {
  top = mkdtempSync("/var/tmp/turnkit-escape-");
  work = join(top, "work");
  outside = join(top, "outside");
  mkdirSync(work);
  mkdirSync(outside);
  writeFileSync(join(outside, "file"), "kept");
});
afterEach(() => removeFolder(top));
afterAll(() => host[Symbol.asyncDispose]());

function workspace({ network = "restricted", more = [] as Entries } = {}): ExecSandbox {
  const entries: Entries = [
    { path: { type: "special", value: { kind: "root" } }, access: "read" },
    { path: { type: "path", path: work }, access: "write" },
    ...PROTECTED.map((name) => ({ path: { type: "path" as const, path: join(work, name) }, access: "read" as const })),
    ...more,
  ];
  return {
    permissions: { type: "managed", file_system: { type: "restricted", entries }, network },
    windowsSandboxLevel: "disabled",
  };
}

async function confined(script: string, sandbox: ExecSandbox = workspace(), more: object = {}) {
  const recording = await run(host, script, { sandbox, cwd: work, ...more });
  return { text: recording.text(), code: recording.exitCode };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function free(script: string) {
  const recording = await run(host, script, { cwd: work });
  return recording.text();
}

/** A line for every command of the script that succeeded, in words of its own. */
const tried = (commands: readonly string[]) =>
  commands.map((command, at) => `(${command}) 2>/dev/null && echo "did ${at}"`).join("\n");

function nothingChanged() {
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("kept");
  expect(readdirSync(outside)).toEqual(["file"]);
}

describe.skipIf(!confines)("a confined process (skipped without a working bubblewrap)", () => {
  test("cannot write outside by path, link, name of a folder or another name of the root", async () => {
    symlinkSync(outside, join(work, "folder-link"));
    symlinkSync(join(outside, "file"), join(work, "file-link"));
    const commands = [
      `echo x > ${outside}/new`,
      "echo x > ../outside/new",
      "echo x > folder-link/new",
      "echo x > file-link",
      `ln -s ${outside} made-link && echo x > made-link/new`,
      `ln ${outside}/file hard && echo x > hard`,
      `mv ${outside}/file moved`,
      `rm -f ${outside}/file`,
      `echo x > /proc/self/root${outside}/new`,
      `echo x > /proc/self/cwd/../outside/new`,
      `echo x > /proc/1/root${outside}/new`,
      `chmod 777 ${outside}`,
      `mv ../work ../other`,
    ];
    expect((await confined(tried(commands))).text).toBe("");
    nothingChanged();
    expect((await confined("echo x > mine && cat mine")).text).toBe("x\n");
    expect(await free(tried(["echo x > ../outside/new", "echo x > folder-link/new"]))).toBe("did 0\ndid 1\n");
  });

  test("cannot make the mounts writable, undo them or look under them", async () => {
    const commands = [
      "mount -o remount,rw /",
      "mount -o remount,bind,rw /",
      `mount -o bind,rw ${outside} ${work}`,
      "umount -l /",
      "umount -l /proc",
      `umount -l ${work}/.git`,
      `unshare -m sh -c 'mount -o remount,bind,rw / && echo x > ${outside}/new'`,
      `unshare -Ur -m sh -c 'mount -o remount,bind,rw / && echo x > ${outside}/new'`,
      `unshare -Ur -m sh -c 'umount -l ${work}/.git && echo x > ${work}/.git/config'`,
      `chroot / sh -c 'echo x > ${outside}/new'`,
    ];
    expect((await confined(tried(commands))).text).toBe("");
    nothingChanged();
    expect(readdirSync(work)).toEqual(expect.not.arrayContaining(["config"]));
  });

  test("sees, signals and traces no process outside", async () => {
    const victim = spawn("sleep", ["600"], { stdio: "ignore" });
    await once(victim, "spawn");
    const commands = [
      `kill -9 ${victim.pid}`,
      `ls /proc/${process.pid}/fd`,
      `cat /proc/${victim.pid}/root/etc/passwd`,
      `nsenter -t ${victim.pid} -a true`,
      `gdb -p ${victim.pid} -batch`,
      `strace -p ${victim.pid} -o /dev/null`,
    ];
    expect((await confined(tried(commands.slice(0, 1)))).text).toBe("");
    await confined(tried(commands));
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
    const pids = (await confined("echo /proc/[0-9]*")).text.trim().split(" ");
    expect(pids.length).toBeLessThan(6);
    expect((await confined("cat /proc/1/environ /proc/1/cmdline | tr '\\0' '\\n'")).text).not.toContain("vitest");
    await ended(victim);
  });

  test("has no privileges and cannot get any", async () => {
    const { text } = await confined("cat /proc/self/status; id -u");
    expect(text).toMatch(/NoNewPrivs:\s1\n/);
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
      expect(text).toMatch(new RegExp(`${set}:\\s0{16}\\n`));
    const options = (await confined("cat /proc/self/mounts")).text.split("\n").map((line) => line.split(" "));
    const own = options.filter(([, point]) => point === "/" || point === work);
    expect(own).toHaveLength(2);
    for (const [, , , flags = ""] of own) expect(flags.split(",")).toEqual(expect.arrayContaining(["nosuid", "nodev"]));
    const commands = [
      "mknod disk b 8 0",
      "mknod mem c 1 1",
      "sudo -n true",
      "su -c true",
      "test -w /proc/sysrq-trigger",
      "test -w /proc/sys/kernel/core_pattern",
      "dd if=/dev/vda count=1 || dd if=/dev/sda count=1 || dd if=/dev/nvme0n1 count=1",
      "dd if=/dev/mem count=1",
    ];
    expect((await confined(tried(commands))).text).toBe("");
    const devices = (await confined("ls /dev")).text.trim().split("\n");
    const usual = ["console", "core", "fd", "full", "null", "ptmx", "pts", "random", "shm"];
    expect(
      devices.filter((name) => ![...usual, "stderr", "stdin", "stdout", "tty", "urandom", "zero"].includes(name)),
    ).toEqual([]);
  });

  test("a program marked to run as its owner does not", async () => {
    const copy = join(work, "id");
    writeFileSync(copy, readFileSync("/usr/bin/id"));
    chmodSync(copy, 0o6755);
    const inside = (await confined("./id -u; ./id -ru")).text.trim().split("\n");
    expect(new Set(inside).size).toBe(1);
  });

  test("gets no descriptor of this process, and none of the sandbox's", async () => {
    const file = openSync(join(outside, "file"), "r+");
    const folder = openSync(outside, "r");
    const script =
      "for fd in /proc/self/fd/*; do readlink $fd; done; for n in 3 4 5 6 7 8 9 10 11 12 20 21 22 23 24 25 30 40; do (echo x >&$n) 2>/dev/null && echo wrote $n; done; true";
    const { text } = await confined(`bash -c '${script}'`);
    closeSync(file);
    closeSync(folder);
    expect(text).not.toMatch(/wrote|outside|turnkit-filter/);
    nothingChanged();
  });

  test("temporary folders are as closed as the rest unless they are opened, and the root is never one", async () => {
    const before = process.env.TMPDIR;
    const tmpdir: Entries = [{ path: { type: "special", value: { kind: "tmpdir" } }, access: "write" }];
    try {
      for (const value of ["/", "..", "."]) {
        process.env.TMPDIR = value;
        const script = tried([`echo x > ${outside}/new`, "echo x > /usr/turnkit-new", "echo x > /tmp/turnkit-new"]);
        expect((await confined(script, workspace({ more: tmpdir }))).text).toBe("");
      }
      process.env.TMPDIR = join(top, "temporary");
      mkdirSync(process.env.TMPDIR);
      const script = tried([`echo x > ${process.env.TMPDIR}/new`, `echo x > ${outside}/new`]);
      expect((await confined(script, workspace({ more: tmpdir }))).text).toBe("did 0\n");
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    nothingChanged();
  });
});

describe.skipIf(!confines)("protected folders of a workspace (skipped without a working bubblewrap)", () => {
  test("that exist cannot be written, removed, moved away or replaced", async () => {
    for (const name of PROTECTED) {
      mkdirSync(join(work, name));
      writeFileSync(join(work, name, "config"), "kept");
    }
    const commands = PROTECTED.flatMap((name) => [
      `echo x > ${name}/config`,
      `echo x > ${name}/hooks`,
      `rm -rf ${name}`,
      `mv ${name} away`,
      `mkdir other && mv -T other ${name}`,
      `ln -sfn /tmp ${name}`,
      `echo x > "$PWD/./${name}/../${name}/config"`,
    ]);
    expect((await confined(tried(commands))).text.split("\n").filter((line) => line !== "")).toEqual([]);
    for (const name of PROTECTED) expect(readFileSync(join(work, name, "config"), "utf8")).toBe("kept");
    expect(await free(tried(["echo x > .git/config"]))).toBe("did 0\n");
  });

  test("that do not exist cannot be made, and nothing is left of what stood in for them", async () => {
    const make = tried(PROTECTED.flatMap((name) => [`mkdir ${name}`, `echo x > ${name}/config`, `echo x > ${name}`]));
    expect((await confined(make)).text).toBe("");
    // A second one that outlives the first is not opened by the end of the first.
    const wait = join(work, "go");
    const long = confined(`touch here; while [ ! -e ${wait} ]; do sleep 0.05; done\n${make}`);
    await until(() => existsSync(join(work, "here")));
    expect((await confined(make)).text).toBe("");
    sweep();
    writeFileSync(wait, "");
    expect((await long).text).toBe("");
    sweep();
    expect(readdirSync(work).sort()).toEqual(["go", "here"]);
    expect(await free(tried(["mkdir .git"]))).toBe("did 0\n");
  });

  test("of another program's sandbox are left alone until that has ended", async () => {
    const program = await bundle("other-server", SERVER_SOURCE);
    const { child, url } = await startProgram(program);
    rmSync(program);
    const other = await connectExecServer(url);
    const own = join(work, "own");
    await other.start(request(`touch ${own}; sleep 600`, { sandbox: workspace(), cwd: work }));
    await until(() => existsSync(own));
    // As this program sees it: the folder exists, and its own use has ended.
    usePlaceholders([join(work, ".git")])();
    sweep();
    expect(existsSync(join(work, ".git"))).toBe(true);
    // The other program is gone, and its sandbox with it: nobody else would remove the folder, so it is looked at again.
    child.kill("SIGKILL");
    await until(() => !existsSync(join(work, ".git")));
    await other[Symbol.asyncDispose]();
  });

  test("a worktree's repository is protected like its own", async () => {
    const repository = join(work, "main/.git/worktrees/one");
    mkdirSync(repository, { recursive: true });
    writeFileSync(join(work, ".git"), `gitdir: ${repository}\n`);
    expect((await confined(tried(["echo x > .git", `echo x > ${repository}/config`]))).text).toBe("");
    expect(readdirSync(repository)).toEqual([]);
  });
});

describe.skipIf(!confines)("the network (skipped without a working bubblewrap)", () => {
  const dial = (address: object) =>
    `node -e 'require("net").connect(${JSON.stringify(address)}).on("connect", () => (console.log("reached"), process.exit())).on("error", (error) => console.log(error.code))'`;

  async function listening(address: object): Promise<Server> {
    const server = createServer((socket) => socket.destroy()).listen(address);
    await once(server, "listening");
    return server;
  }

  test("off: neither this machine's programs nor others are reached; on: they are", async () => {
    const tcp = await listening({ port: 0, host: "127.0.0.1" });
    const local = await listening({ path: join(work, "socket") });
    const { port } = tcp.address() as { port: number };
    const tcpDial = dial({ port, host: "127.0.0.1" });
    const localDial = dial({ path: join(work, "socket") });
    const { text } = await confined(`${tcpDial}; ${localDial}; ${dial({ port: 9, host: "203.0.113.1" })}`);
    expect(text.trim().split("\n")).toEqual(["ECONNREFUSED", "EPERM", "ENETUNREACH"]);
    const on = await confined(`${tcpDial}; ${localDial}`, workspace({ network: "enabled" }));
    expect(on.text.trim().split("\n")).toEqual(["reached", "reached"]);
    for (const server of [tcp, local]) server.close();
  });

  test("off: a program may still listen and talk to itself, and its children to it", async () => {
    const script = `node -e '
      const net = require("net");
      const server = net.createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1", () => {
        net.connect(server.address().port, "127.0.0.1").on("data", (data) => {
          const child = require("child_process").fork("-e", ["process.send(1)"], { execArgv: [] });
          child.on("error", () => {}).on("exit", () => { console.log(String(data)); process.exit(); });
        });
      });'`;
    expect((await confined(script)).text).toContain("hello");
  });

  test.skipIf(!has("perl"))("off: no other kind of socket can be made (skipped without perl)", async () => {
    const script =
      "for my $f (1, 2, 10, 16, 17, 38, 40) { print socket(my $s, $f, $f == 17 || $f == 16 ? 3 : 1, 0) ? qq(yes) : $!+0, qq( ) }";
    const [unix, v4, v6, netlink, packet, crypto, machine] = (await confined(`perl -e '${script}'`)).text
      .trim()
      .split(" ");
    expect([unix, packet, crypto, machine]).toEqual(["1", "1", "1", "1"]);
    expect([v4, v6 === "97" ? "yes" : v6, netlink]).toEqual(["yes", "yes", "yes"]);
    const pairs = "for my $t (1, 2, 5) { print socketpair(my $a, my $b, 1, $t, 0) ? qq(yes) : $!+0, qq( ) }";
    expect((await confined(`perl -e '${pairs}'`)).text.trim()).toBe("yes 1 yes");
  });

  test.skipIf(!has("perl"))("nothing is typed into the terminal of the caller (skipped without perl)", async () => {
    const type = "my $c = qq(x); print ioctl(STDIN, 0x5412, $c) ? qq(typed) : $!+0";
    const more = { tty: true };
    expect((await confined(`perl -e '${type}'`, workspace(), more)).text).toBe("1");
    expect((await confined(`perl -e '${type}'`, workspace({ network: "enabled" }), more)).text).toBe("1");
  });
});

async function ended(child: ChildProcess) {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
