// What others rely on, as literals: a change here is a change of contract.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

function manifests(parent: string): { name: string; private?: boolean; exports?: Record<string, unknown> }[] {
  return readdirSync(path.join(root, parent)).map((folder) =>
    JSON.parse(readFileSync(path.join(root, parent, folder, "package.json"), "utf8")),
  );
}

const published = [...manifests("packages"), ...manifests("apps")];

test("the published packages and their entry points", () => {
  expect(Object.fromEntries(published.map(({ name, exports }) => [name, Object.keys(exports ?? {})]))).toEqual({
    "@turnkit/app-server": [".", "./client", "./package.json"],
    "@turnkit/cli": ["./package.json"],
    "@turnkit/core": [
      ".",
      "./config",
      "./rollout",
      "./queue",
      "./testing",
      "./scripted-model",
      "./mcp-oauth",
      "./package.json",
    ],
    "@turnkit/exec-server": [".", "./local-host", "./process-settings", "./server", "./package.json"],
    "@turnkit/protocol": [
      ".",
      "./schemas",
      "./validate",
      "./validate/config",
      "./legacy",
      "./rollout",
      "./app",
      "./exec",
      "./text",
      "./package.json",
      "./schema/*.json",
    ],
    "@turnkit/rpc": [".", "./stdio", "./websocket", "./unix-socket", "./package.json"],
    "@turnkit/tools": [".", "./node", "./testing", "./package.json"],
  });
  expect(published.filter((manifest) => manifest.private)).toEqual([]);
});

test("tooling is never published", () => {
  const tooling = readdirSync(path.join(root, "tooling"), { withFileTypes: true })
    .map(({ name }) => name)
    .filter((name) => !["bootstrap", "tsconfig"].includes(name));
  for (const name of tooling) {
    const manifest = JSON.parse(readFileSync(path.join(root, "tooling", name, "package.json"), "utf8"));
    expect([manifest.name, manifest.private]).toEqual([`@turnkit/tooling-${name}`, true]);
  }
});

test("packages are compiled with the same settings as all of them together", () => {
  const folders = ["packages", "apps", "tooling"].flatMap((parent) =>
    readdirSync(path.join(root, parent))
      .map((name) => path.join(root, parent, name, "tsconfig.json"))
      .filter((file) => existsSync(file)),
  );
  expect(folders.length).toBeGreaterThan(9);
  for (const file of folders) {
    const settings = JSON.parse(readFileSync(file, "utf8"));
    expect(settings.extends).toMatch(/\/tsconfig\/node\.json$/);
    expect({ allowJs: true, checkJs: false, ...settings.compilerOptions }).toEqual({ allowJs: true, checkJs: false });
  }
});
