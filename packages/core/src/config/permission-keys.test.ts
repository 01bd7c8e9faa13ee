import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Config, configOfText, loadConfig, threadSettings } from "./index.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-permission-keys-"));
  await mkdir(path.join(folder, "project", ".git"), { recursive: true });
  await mkdir(path.join(folder, "project", "deep", "er"), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const read = (text: string): Config => configOfText(`model = "m"\n${text}`, "config.toml");
const approvals = (text: string, cwd = "/p") => threadSettings(read(text), cwd).approval_policy;
const sandbox = (config: Config) => threadSettings(config, "/p").sandbox_policy.type;

describe("approval_policy", () => {
  const granular = { sandbox_approval: true, rules: false, mcp_elicitations: true };

  test("may say of each kind of request whether it reaches the person", () => {
    const text = "{ granular = { sandbox_approval = true, rules = false, mcp_elicitations = true } }";
    expect(approvals(`approval_policy = ${text}`)).toEqual({ granular });
    expect(read(`approval_policy = ${text}`).warnings).toEqual([]);
  });

  test.each([
    ['"sometimes"', 'must be one of "untrusted", "on-failure", "on-request", "never"'],
    ["{ granular = 3 }", "granular"],
    ["{ granular = { rules = true } }", "sandbox_approval"],
    ["7", "config.toml:2: approval_policy"],
  ])("%s is refused", (value, words) => {
    expect(() => read(`approval_policy = ${value}`)).toThrow(words);
  });

  test("on-failure of older files counts as on-request, and says so", () => {
    expect(approvals('approval_policy = "on-failure"')).toBe("on-request");
    expect(read('approval_policy = "on-failure"').warnings).toEqual([
      'config.toml:2: approval_policy = "on-failure" is no longer supported and counts as "on-request"',
    ]);
  });
});

describe("a folder that is not trusted", () => {
  const untrusted = (place: string) => `[projects."${place}"]\ntrust_level = "untrusted"\n`;

  test("makes the person be asked, where the configuration does not say otherwise", () => {
    expect(approvals(untrusted("/p"))).toBe("untrusted");
    expect(approvals(`approval_policy = "never"\n${untrusted("/p")}`)).toBe("never");
    expect(approvals(untrusted("/other"))).toBe("on-request");
    expect(approvals('[projects."/p"]\ntrust_level = "trusted"\n')).toBe("on-request");
    expect(approvals('[projects."/p"]\n')).toBe("on-request");
  });

  test("speaks for the folders of its repository, unless they are spoken of themselves", () => {
    const project = path.join(folder, "project");
    const deep = path.join(project, "deep", "er");
    expect(approvals(untrusted(project), deep)).toBe("untrusted");
    expect(approvals(`${untrusted(project)}[projects."${deep}"]\ntrust_level = "trusted"\n`, deep)).toBe("on-request");
    expect(approvals(untrusted(folder), deep)).toBe("on-request");
  });
});

describe("default_permissions", () => {
  test.each([
    [":read-only", "read-only"],
    [":workspace", "workspace-write"],
    [":danger-full-access", "danger-full-access"],
  ])("%s comes before sandbox_mode", (id, type) => {
    const config = read(`default_permissions = "${id}"\nsandbox_mode = "read-only"`);
    expect(threadSettings(config, "/p")).toMatchObject({
      sandbox_policy: { type },
      active_permission_profile: { id, extends: null },
    });
    expect(config.warnings).toEqual([]);
  });

  test("a built-in profile that there is not is refused", () => {
    expect(() => read('default_permissions = ":all"')).toThrow(
      "config.toml:2: default_permissions refers to unknown built-in profile `:all`",
    );
  });

  test("a profile of one's own is not known here: nothing may be written, and that is said", () => {
    const config = read('default_permissions = "mine"\nsandbox_mode = "danger-full-access"\n[permissions.mine]\n');
    expect(sandbox(config)).toBe("read-only");
    expect(config.warnings).toEqual([
      'config.toml:2: default_permissions names "mine": profiles of [permissions] are not supported, commands run read-only',
    ]);
  });

  test("gives way to a sandbox that is asked for now", async () => {
    const home = path.join(folder, "home");
    await mkdir(home);
    await writeFile(path.join(home, "config.toml"), 'model = "m"\ndefault_permissions = ":danger-full-access"\n');
    const asked = { sandbox_mode: "read-only" };
    expect(sandbox(await loadConfig({ home, overrides: asked }))).toBe("read-only");
    expect(sandbox(await loadConfig({ home, requested: asked }))).toBe("read-only");
    expect(sandbox(await loadConfig({ home }))).toBe("danger-full-access");
    expect(sandbox(await loadConfig({ home, overrides: { default_permissions: ":workspace" } }))).toBe(
      "workspace-write",
    );
  });
});

test.each(["auto_review", "guardian_subagent"])("approvals_reviewer %s is not there, and that is said", (reviewer) => {
  expect(read(`approvals_reviewer = "${reviewer}"`).warnings).toEqual([
    `config.toml:2: approvals_reviewer = "${reviewer}" is not supported: approvals are put to the person`,
  ]);
  expect(read('approvals_reviewer = "user"').warnings).toEqual([]);
});
