/** `turnkit sandbox`, as a person calls it. Where bubblewrap does not work, the refusal is what counts. */
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import path from "node:path";
import { LocalHost } from "@turnkit/exec-server/local-host";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";

const confines = await new LocalHost().canConfine();
let top: string;
beforeAll(() => {
  // Temporary folders are open in a workspace.
  top = mkdtempSync("/var/tmp/turnkit-sandbox-command-");
  mkdirSync(path.join(top, "work"));
  mkdirSync(path.join(top, "more"));
});
afterAll(() => removeFolder(top));

const call = (home: Home, ...args: string[]) => home.run(["sandbox", ...args], { cwd: path.join(top, "work") });

describe.skipIf(!confines)(
  "turnkit sandbox (skipped without a working bubblewrap)",
  { timeout: PROCESS_TIMEOUT },
  () => {
    it("has the command's output and exit code, and passes its options on unread", async () => {
      await using home = new Home();
      expect(await call(home, "sh", "-c", "echo out; echo err >&2; exit 7")).toEqual({
        code: 7,
        stdout: "out\n",
        stderr: "err\n",
      });
      expect(await call(home, "--", "echo", "-s", "--help")).toMatchObject({ code: 0, stdout: "-s --help\n" });
      expect(await call(home, "echo", "--help", "--")).toMatchObject({ code: 0, stdout: "--help --\n" });
      expect(await call(home, "sh", "-c", "kill -9 $$")).toMatchObject({ code: 137 });
    });

    it("confines as the configuration or the option says", async () => {
      await using home = new Home();
      home.write("config.toml", 'sandbox_mode = "workspace-write"\n');
      const write = (file: string) => ["sh", "-c", `echo x > ${path.join(top, file)}`];
      expect(await call(home, ...write("work/inside"))).toMatchObject({ code: 0 });
      expect((await call(home, ...write("more/outside"))).code).not.toBe(0);
      expect(await call(home, "--add-dir", path.join(top, "more"), ...write("more/added"))).toMatchObject({ code: 0 });
      expect((await call(home, "-s", "read-only", ...write("work/read-only"))).code).not.toBe(0);
      expect(await call(home, "-s", "danger-full-access", ...write("free"))).toMatchObject({ code: 0 });
      expect(await call(home, "-C", path.join(top, "more"), ...write("more/here"))).toMatchObject({ code: 0 });
      const made = ["work/inside", "more/outside", "more/added", "work/read-only", "free", "more/here"];
      expect(made.map((file) => existsSync(path.join(top, file)))).toEqual([true, false, true, false, true, true]);
      expect(existsSync(path.join(top, "work/.git"))).toBe(false);
    });

    it("is not asked for a model, and reads standard input", async () => {
      await using home = new Home();
      const cat = await home.run(["sandbox", "cat"], { input: "hello", cwd: path.join(top, "work") });
      expect(cat).toEqual({ code: 0, stdout: "hello", stderr: "" });
    });
  },
);

describe("turnkit sandbox", { timeout: PROCESS_TIMEOUT }, () => {
  it("refuses what it cannot do in one line", async () => {
    await using home = new Home();
    expect(await call(home)).toMatchObject({ code: 2, stderr: expect.stringContaining("COMMAND is missing") });
    expect(await call(home, "-s", "none", "true")).toMatchObject({ code: 2 });
    expect(await call(home, "-C", "/nowhere", "true")).toMatchObject({
      code: 3,
      stderr: "turnkit: /nowhere is not a folder\n",
    });
    const missing = await call(home, "-s", "danger-full-access", "no-such-program");
    expect(missing).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^turnkit: cannot run no-such-program: [^\n]+\n$/),
    });
  });

  it("never runs without the sandbox where there is none", async () => {
    await using home = new Home();
    const result = await home.run(["sandbox", "touch", path.join(top, "unprotected")], {
      env: { PATH: "/nonexistent" },
    });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(
      /^turnkit: there is no sandbox here: [^\n]*bubblewrap[^\n]*\n[^\n]*danger-full-access[^\n]*\n$/,
    );
    expect(existsSync(path.join(top, "unprotected"))).toBe(false);
  });
});
