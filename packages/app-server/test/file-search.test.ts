import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AppResult } from "@turnkit/protocol/app";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSearchHandlers } from "../src/handlers/file-search.js";
import type { Handler } from "../src/handlers/handler.js";

let folder: string;
const handler = fileSearchHandlers.fuzzyFileSearch as Handler<"fuzzyFileSearch">;
const search = async (query: string, roots: readonly string[], cancellationToken: string | null = null) => {
  const { files } = (await handler(
    { query, roots: [...roots], cancellationToken },
    undefined as never,
  )) as AppResult<"fuzzyFileSearch">;
  return files;
};

function fill(root: string): string {
  for (const name of ["src/main.ts", "src/deep/main-loop.ts", "README.md", "src/my main.txt", "ignored/main.js"]) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), "");
  }
  return root;
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "turnkit-search-"));
});
afterAll(() => removeFolder(folder));

describe("fuzzyFileSearch", () => {
  it("finds what git would track, best first, with what matched", async () => {
    const root = fill(path.join(folder, "tracked"));
    writeFileSync(path.join(root, ".gitignore"), "ignored\n");
    execFileSync("git", ["init", "-q"], { cwd: root });
    const files = await search("main", [root]);
    expect(files.map((file) => file.path).toSorted()).toEqual([
      "src/deep/main-loop.ts",
      "src/main.ts",
      "src/my main.txt",
    ]);
    expect(files[0]).toMatchObject({
      root,
      path: "src/main.ts",
      file_name: "main.ts",
      match_type: "file",
      indices: [4, 5, 6, 7],
    });
    expect((await search("sdm", [root])).map((file) => file.path)).toEqual(["src/deep/main-loop.ts"]);
    expect(await search("deep", [root])).toContainEqual(
      expect.objectContaining({ path: "src/deep", match_type: "directory" }),
    );
  });

  it("finds what is there where there is no repository, over several folders", async () => {
    const root = fill(path.join(folder, "plain"));
    mkdirSync(path.join(root, "node_modules/x"), { recursive: true });
    writeFileSync(path.join(root, "node_modules/x/main.js"), "");
    const files = await search("main", [root, path.join(folder, "missing")]);
    expect(files.map((file) => file.path).toSorted()).toEqual([
      "ignored/main.js",
      "src/deep/main-loop.ts",
      "src/main.ts",
      "src/my main.txt",
    ]);
  });

  it("says nothing for nothing, and nothing once a later request has its token", async () => {
    const root = path.join(folder, "plain");
    expect(await search("", [root])).toEqual([]);
    const [early, late] = await Promise.all([search("main", [root], "a"), search("read", [root], "a")]);
    expect(early).toEqual([]);
    expect(late.map((file) => file.path)).toEqual(["README.md"]);
  });
});
