/**
 * The files of a folder that a person would name: what git tracks or would track, elsewhere what is there, without folders
 * of dependencies. Folders end with a slash. A list is kept for a moment: a search comes with every key.
 */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { LRUCache } from "lru-cache";

const longest = 100_000;
const hidden = new Set([".git", "node_modules", ".venv", "__pycache__"]);
const lists = new LRUCache<string, Promise<readonly string[]>>({ max: 8, ttl: 3000 });

/** Paths relative to `root`; empty when it cannot be read. */
export function listFiles(root: string): Promise<readonly string[]> {
  const known = lists.get(root);
  if (known) return known;
  const list = fromGit(root)
    .catch(() => fromDisk(root))
    .then(withFolders);
  lists.set(root, list);
  return list;
}

async function fromGit(root: string): Promise<readonly string[]> {
  const args = ["-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const { stdout } = await promisify(execFile)("git", args, { maxBuffer: 1 << 26, timeout: 5000 });
  return stdout
    .split("\0")
    .filter((name) => name !== "")
    .slice(0, longest);
}

/** Breadth first, so that what is cut off lies deep. */
async function fromDisk(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [""];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (found.length >= longest) return found;
      if (entry.isDirectory()) {
        if (!hidden.has(entry.name)) folders.push(`${folder}${entry.name}/`);
      } else found.push(`${folder}${entry.name}`);
    }
  }
  return found;
}

function withFolders(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
      if (folders.has(file.slice(0, at + 1))) break;
      folders.add(file.slice(0, at + 1));
    }
  }
  return [...files, ...folders];
}
