/**
 * Confined processes of a user without privileges: a host of its own runs as one, and the escapes that only another
 * owner of files would stop are tried there as well. Needs root to become that user.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "./programs.js";

const NOBODY = 65534;
const identity = { uid: NOBODY, gid: NOBODY };

/** Why it cannot be tried here; undefined: it can. */
function obstacle(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root becomes another user";
  const program = (process.env.PATH ?? "").split(delimiter).find((folder) => existsSync(join(folder, "bwrap")));
  if (program === undefined) return "there is no bubblewrap";
  const trial = spawnSync(join(program, "bwrap"), ["--unshare-user", "--ro-bind", "/", "/", "true"], identity);
  return trial.status === 0 ? undefined : "users may not make namespaces";
}

const PROGRAM = `import { LocalHost } from "@turnkit/exec-server/local-host";
const { sandbox, cwd, script } = JSON.parse(process.argv[2]);
const host = new LocalHost();
const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const started = await host.start({ processId: "p", argv: ["/bin/sh", "-c", script], cwd, env, tty: false, sandbox });
await new Promise((resolve) => started.subscribe((event) => {
  if (event.type === "output") process.stdout.write(event.bytes);
  if (event.type === "exited") process.exitCode = event.exitCode;
  if (event.type === "closed") resolve();
}));
await host[Symbol.asyncDispose]();
`;

const why = obstacle();
describe.skipIf(why !== undefined)(`a confined process of another user (${why ?? "tried"})`, () => {
  let top: string;
  let program: string;
  beforeAll(async () => {
    top = mkdtempSync("/var/tmp/turnkit-other-user-");
    chmodSync(top, 0o755);
    for (const name of ["work", "outside"]) {
      mkdirSync(join(top, name));
      chmodSync(join(top, name), 0o777);
    }
    program = await bundle("other-user", PROGRAM);
  });
  afterAll(async () => {
    await removeFolder(top);
    rmSync(program, { force: true });
  });

  async function confined(script: string) {
    const root = { path: { type: "special", value: { kind: "root" } }, access: "read" };
    const work = { path: { type: "path", path: join(top, "work") }, access: "write" };
    const file_system = { type: "restricted", entries: [root, work] };
    const permissions = { type: "managed", file_system, network: "restricted" };
    const request = { sandbox: { permissions, windowsSandboxLevel: "disabled" }, cwd: join(top, "work"), script };
    const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(request)], {
      ...identity,
      cwd: top,
      env: { PATH: process.env.PATH, TMPDIR: "/tmp", HOME: top },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const text = (await buffer(child.stdout as NonNullable<typeof child.stdout>)).toString();
    return { text, code: await ended };
  }

  test("works in its workspace and nowhere else, without network or privileges", async () => {
    writeFileSync(join(top, "outside", "file"), "kept", { mode: 0o666 });
    const commands = [
      `echo x > ${join(top, "outside", "new")}`,
      `echo x > ${join(top, "outside", "file")}`,
      "echo x > /tmp/turnkit-other-user",
      "echo 1 > /proc/sys/kernel/panic",
      "mount -o remount,rw /",
    ];
    const tried = commands.map((command, at) => `(${command}) 2>/dev/null && echo "did ${at}"`).join("\n");
    const { text, code } = await confined(
      `${tried}\necho in > made && cat made; id -u; grep -c : /proc/net/dev; grep CapEff /proc/self/status; exit 3`,
    );
    expect(text).toBe(`in\n${NOBODY}\n1\nCapEff:\t0000000000000000\n`);
    expect(code).toBe(3);
    expect(existsSync(join(top, "work", "made"))).toBe(true);
    expect(existsSync(join(top, "outside", "new"))).toBe(false);
  });
});
