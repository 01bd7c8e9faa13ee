// @ts-check
// The files that make up the repository.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** Written by programs, or data: exempt from rules on how we write. */
const generated = /(^|\/)(generated|fixtures|recordings|schema)\/|pnpm-lock\.yaml$|(^|\/)LICENSE$/;
const text = /\.(ts|tsx|mjs|js|cjs|json|md|ya?ml|sh|toml|txt)$|(^|\/)(run|\.gitignore)$/;

/** Tracked files and new ones that are not ignored, relative to root. @param {string} root */
export function repositoryFiles(root) {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return listed.split("\0").filter((file) => file !== "" && existsSync(path.join(root, file)));
}

/** Text files that people write. @param {string} root */
export function writtenFiles(root) {
  return repositoryFiles(root).filter((file) => text.test(file) && !generated.test(file));
}
