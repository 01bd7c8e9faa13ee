import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gitInfo } from "./git-info.js";

let root: string;
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "turnkit-git-info-"));
  await mkdir(path.join(root, "repository", ".git", "refs", "heads"), { recursive: true });
  await mkdir(path.join(root, "repository", "inner", ".git"), { recursive: true });
  await mkdir(path.join(root, "empty", ".git"), { recursive: true });
  await writeFile(path.join(root, "repository", ".git", "HEAD"), "ref: refs/heads/main\n");
  await writeFile(path.join(root, "repository", ".git", "refs", "heads", "main"), `${COMMIT}\n`);
  await writeFile(
    path.join(root, "repository", ".git", "config"),
    '[remote "origin"]\n\turl = https://example.com/x.git\n',
  );
});
afterAll(() => rm(root, { recursive: true }));

const found = { commit_hash: COMMIT, branch: "main", repository_url: "https://example.com/x.git" };

test("branch, commit and origin are read from the files", async () => {
  expect(await gitInfo(path.join(root, "repository"))).toEqual(found);
});

test("an empty folder named .git is no repository, and does not hide the one around it", async () => {
  expect(await gitInfo(path.join(root, "empty"))).toBeUndefined();
  expect(await gitInfo(path.join(root, "repository", "inner"))).toEqual(found);
});
