import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { appServerSuite } from "../src/app-server/suite.mjs";
import { execServerSuite } from "../src/exec-server/suite.mjs";

const folder = path.resolve(import.meta.dirname, "..");

function recorded(suite: string, extension: string): string[] {
  return readdirSync(path.join(folder, "recordings", suite))
    .map((file) => path.basename(file, extension))
    .sort();
}

describe.each([
  [appServerSuite, ".json.gz", 57],
  [execServerSuite, ".txt", 41],
] as const)("$name", (suite, extension, count) => {
  test("every scenario has a recording, every recording a scenario", () => {
    expect(suite.scenarios()).toEqual(recorded(suite.name, extension));
    expect(suite.scenarios()).toHaveLength(count);
  });

  test("claimed and slow scenarios exist", () => {
    const claimed: Record<string, string[]> = JSON.parse(readFileSync(path.join(folder, "claimed.json"), "utf8"));
    for (const name of [...claimed[suite.name]!, ...suite.slow]) expect(suite.scenarios()).toContain(name);
  });
});
