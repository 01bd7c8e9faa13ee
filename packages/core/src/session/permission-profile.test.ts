import { expect, test } from "vitest";
import { previewSettings } from "./thread-settings.js";

const settings = {
  model: "m",
  model_provider_id: "p",
  cwd: "/proj",
  approval_policy: "on-request" as const,
  sandbox_policy: { type: "workspace-write" as const, writable_roots: ["/kept"], network_access: false },
  permission_profile: { type: "disabled" },
  collaboration_mode: { mode: "default" as const, settings: { model: "m" } },
};
const change = (overrides: object) => previewSettings(settings, overrides, { defaultModeQuestions: false });

test("folders of the workspace beside its own may be written, in the policy and in the profile", () => {
  const next = change({ workspace_roots: ["/proj", "/extra", "/kept"] });
  expect(next.sandbox_policy).toMatchObject({ type: "workspace-write", writable_roots: ["/kept", "/extra"] });
  expect(JSON.stringify(next.permission_profile)).toContain(
    '{"path":{"type":"path","path":"/extra"},"access":"write"}',
  );
  expect(JSON.stringify(next.permission_profile)).toContain('"path":"/extra/.git"');
});

test("they say nothing to a sandbox that lets nothing, or everything, be written", () => {
  const policy = { type: "read-only" as const };
  expect(change({ sandbox_policy: policy, workspace_roots: ["/extra"] }).sandbox_policy).toEqual(policy);
});
