// @ts-check
// A copy of the repository in a temporary folder: the checkout itself is never changed. Installed packages are linked.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";

/** What the build makes and tests read. */
const GENERATED = ["packages/protocol/src/generated"];

/**
 * @param {string} root the checkout
 * @returns {{ root: string, remove: () => void }}
 */
export function workingCopy(root) {
  const copy = mkdtempSync(path.join(tmpdir(), "turnkit-mutation-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  for (const file of [...listed.split("\0").filter(Boolean), ...GENERATED]) {
    const from = path.join(root, file);
    if (!existsSync(from)) continue;
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(from, path.join(copy, file), { recursive: true, verbatimSymlinks: true });
  }
  linkPackages(root, copy);
  return { root: copy, remove: () => removeFolder(copy) };
}

/**
 * Links between workspace packages are relative and lead into the copy; everything else leads to the checkout's store.
 * @param {string} root @param {string} copy
 */
function linkPackages(root, copy) {
  mkdirSync(path.join(copy, "node_modules"));
  for (const entry of readdirSync(path.join(root, "node_modules")))
    if (!entry.startsWith(".") || entry === ".pnpm" || entry === ".bin")
      symlinkSync(path.join(root, "node_modules", entry), path.join(copy, "node_modules", entry));
  for (const parent of ["packages", "apps", "tooling"])
    for (const name of readdirSync(path.join(root, parent))) {
      const modules = path.join(root, parent, name, "node_modules");
      const target = path.join(copy, parent, name);
      if (existsSync(modules) && existsSync(target))
        cpSync(modules, path.join(target, "node_modules"), {
          recursive: true,
          verbatimSymlinks: true,
          filter: (from) => !/[\\/]\.(?!bin)/.test(from.slice(modules.length)),
        });
    }
}
