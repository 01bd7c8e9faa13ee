import { expect, test } from "vitest";
import { permissionProfile } from "./permission-profile.js";

const entriesOf = (profile: Record<string, unknown>) =>
  (profile.file_system as { entries: { path: unknown; access: string }[] }).entries.map(({ path, access }) => {
    const at = path as { path?: string; value?: { kind: string } };
    return `${access} ${at.path ?? at.value?.kind}`;
  });

test("a workspace can be written, but not what later commands trust", () => {
  const profile = permissionProfile({ type: "workspace-write", writable_roots: ["/data"] }, "/proj");
  expect(profile).toMatchObject({ type: "managed", network: "restricted" });
  expect(entriesOf(profile)).toEqual([
    "read root",
    "write /proj",
    "write /data",
    "write slash_tmp",
    "write tmpdir",
    ...["/proj", "/data"].flatMap((root) =>
      [".git", ".agents", ".codex", ".turnkit"].map((name) => `read ${root}/${name}`),
    ),
  ]);
});

test("temporary folders can be left out, and the network let in", () => {
  const profile = permissionProfile(
    { type: "workspace-write", exclude_slash_tmp: true, exclude_tmpdir_env_var: true, network_access: true },
    "/proj",
  );
  expect(entriesOf(profile).slice(0, 3)).toEqual(["read root", "write /proj", "read /proj/.git"]);
  expect(profile.network).toBe("enabled");
});

test("without writing only reading is left; without a sandbox there is nothing to say", () => {
  expect(entriesOf(permissionProfile({ type: "read-only" }, "/proj"))).toEqual(["read root"]);
  expect(permissionProfile({ type: "danger-full-access" }, "/proj")).toEqual({ type: "disabled" });
});
