import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLayering } from "../src/layering.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
let copy: string;

let result: Awaited<ReturnType<typeof checkLayering>>;
const violationsOf = (file: string) => result.violations.filter((violation) => violation.startsWith(`${file} -> `));

/** A copy of the sources in which packages find each other as they do here, with imports that are not allowed. */
beforeAll(async () => {
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
  for (const [file, specifier] of planted)
    plant(file, `import * as planted from "${specifier}";\nexport { planted };\n`);
  plant(typesOnly, 'import type * as Planted from "@turnkit/exec-server";\nexport type { Planted };\n');
  for (const [file, other] of [ring, ring.toReversed()])
    plant(
      file as string,
      `import type * as Other from "./${path.basename(other as string, ".ts")}.js";\nexport type { Other };\n`,
    );
  result = await checkLayering(copy);
});

afterAll(() => removeFolder(copy));

const core = "packages/core may import protocol, tools.";
/** File, what it imports, and why that is refused. */
const planted = [
  ["packages/core/src/plant.ts", "@turnkit/exec-server", core],
  ["packages/tools/src/plant.ts", "@turnkit/core", "packages/tools may import protocol."],
  ["packages/protocol/src/plant.ts", "@turnkit/rpc", "packages/protocol may import no other package."],
  ["packages/app-server/src/plant.ts", "@turnkit/exec-server", "Only compose.ts of the app-server"],
  ["apps/cli/src/tui/plant.ts", "@turnkit/core", "The terminal interface speaks to the app-server"],
  ["packages/protocol/src/agent/plant.ts", "../legacy/index.js", "Current shapes know nothing of old ones"],
  ["packages/exec-server/src/plant.ts", "node-pty", "node-pty is loaded by one file"],
] as const;
/** Imports of types alone count too. */
const typesOnly = "packages/core/src/plant-types.ts";
const ring = ["packages/core/src/plant-ring-one.ts", "packages/core/src/plant-ring-two.ts"];

function plant(file: string, text: string) {
  mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
  writeFileSync(path.join(copy, file), text);
}

describe("a planted import is refused", () => {
  test.each(planted)("%s -> %s", (file, _specifier, reason) => {
    expect(violationsOf(file)).toEqual([expect.stringContaining(reason)]);
  });

  test("also where only types are imported", () => {
    expect(violationsOf(typesOnly)).toEqual([expect.stringContaining(core)]);
  });

  test("as one for a whole ring, though of types alone", () => {
    const found = ring.flatMap(violationsOf);
    expect(found).toEqual([expect.stringContaining("import each other in a ring")]);
  });

  test("and nothing else is", () => {
    const files = new Set([...planted.map(([file]) => file), typesOnly, ...ring]);
    expect(result.violations.filter((violation) => !files.has(violation.split(" -> ")[0] ?? ""))).toEqual([]);
  });
});

test("every source file is read", () => {
  const sources = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(result.modules).toBeGreaterThanOrEqual(sources.filter((file) => !file.includes("/generated/")).length);
});
