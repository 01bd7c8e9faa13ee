import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLayering } from "../src/layering.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
let copy: string;

/** A copy of the sources in which packages find each other as they do here. */
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), "layering-"));
  for (const parent of ["packages", "apps"])
    for (const name of readdirSync(path.join(root, parent))) {
      const [from, to] = [path.join(root, parent, name), path.join(copy, parent, name)];
      cpSync(path.join(from, "src"), path.join(to, "src"), { recursive: true });
      cpSync(path.join(from, "package.json"), path.join(to, "package.json"));
      const scope = path.join(copy, "node_modules/@turnkit");
      mkdirSync(scope, { recursive: true });
      symlinkSync(to, path.join(scope, name));
    }
  mkdirSync(path.join(copy, "node_modules/node-pty"), { recursive: true });
  writeFileSync(path.join(copy, "node_modules/node-pty/package.json"), '{ "name": "node-pty", "main": "index.js" }');
  writeFileSync(path.join(copy, "node_modules/node-pty/index.js"), "");
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

async function violationsWith(file: string, text: string): Promise<string[]> {
  const planted = path.join(copy, file);
  mkdirSync(path.dirname(planted), { recursive: true });
  writeFileSync(planted, text);
  try {
    const { violations } = await checkLayering(copy);
    return violations.filter((violation) => violation.startsWith(`${file} -> `));
  } finally {
    rmSync(planted);
  }
}

describe("a planted import is refused", () => {
  test.each([
    ["packages/core/src/plant.ts", "@turnkit/exec-server", "packages/core may import protocol, tools."],
    ["packages/tools/src/plant.ts", "@turnkit/core", "packages/tools may import protocol."],
    ["packages/protocol/src/plant.ts", "@turnkit/rpc", "packages/protocol may import no other package."],
    ["packages/app-server/src/plant.ts", "@turnkit/exec-server", "Only compose.ts of the app-server"],
    ["apps/cli/src/tui/plant.ts", "@turnkit/core", "The terminal interface speaks to the app-server"],
    ["packages/protocol/src/agent/plant.ts", "../legacy/index.js", "Current shapes know nothing of old ones"],
    ["packages/exec-server/src/plant.ts", "node-pty", "node-pty is loaded by one file"],
  ])("%s -> %s", async (file, specifier, reason) => {
    const violations = await violationsWith(file, `import * as planted from "${specifier}";\nexport { planted };\n`);
    expect(violations).toEqual([expect.stringContaining(reason)]);
  });

  test("also where only types are imported", async () => {
    const text = 'import type * as Planted from "@turnkit/exec-server";\nexport type { Planted };\n';
    expect(await violationsWith("packages/core/src/plant.ts", text)).toHaveLength(1);
  });
});

test("every source file is read", async () => {
  const { modules } = await checkLayering(copy);
  const sources = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(modules).toBeGreaterThanOrEqual(sources.filter((file) => !file.includes("/generated/")).length);
});
