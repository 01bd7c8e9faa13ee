/** `fs/walk`: what lies below a folder, breadth first and by name, within limits. */

import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type { ExecWalkParams, ExecWalkResponse } from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { uriFromPath } from "../../path-uri.js";
import { osErrorText } from "../../process/os-error.js";
import { permitted, reporting } from "./file-access.js";

const MAXIMUMS = { maxDepth: 64, maxDirectories: 10_000, maxEntries: 50_000 };
/** Over all entries: the length of the URI and this much more. */
const ENTRY_OVERHEAD = 64;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

interface Folder {
  readonly path: string;
  readonly depth: number;
}

export function walk({ path: uri, options, sandbox }: ExecWalkParams): Promise<ExecWalkResponse> {
  return reporting(async () => {
    checkLimits(options);
    const root = permitted(uri, "read", sandbox);
    const walker = new Walker(options);
    const found = await (options.followDirectorySymlinks ? stat(root) : lstat(root));
    if (found.isDirectory()) await walker.walk(root);
    const { entries, errors, truncated } = walker;
    return { entries, errors, truncated };
  });
}

function checkLimits({ maxDepth, maxDirectories, maxEntries }: ExecWalkParams["options"]): void {
  if (maxDirectories === 0 || maxEntries === 0) {
    throw new RpcError(RpcErrorCode.invalidRequest, "filesystem walk limits must be greater than zero");
  }
  if (maxDepth > MAXIMUMS.maxDepth || maxDirectories > MAXIMUMS.maxDirectories || maxEntries > MAXIMUMS.maxEntries) {
    const { maxDepth: depth, maxDirectories: directories, maxEntries: entries } = MAXIMUMS;
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      `filesystem walk limits exceed maximums: depth=${depth}, directories=${directories}, entries=${entries}`,
    );
  }
}

class Walker implements ExecWalkResponse {
  readonly entries: ExecWalkResponse["entries"] = [];
  readonly errors: ExecWalkResponse["errors"] = [];
  truncated = false;
  readonly #options: ExecWalkParams["options"];
  readonly #visited = new Set<string>();
  readonly #queue: Folder[] = [];
  #budget = MAX_ANSWER_BYTES;

  constructor(options: ExecWalkParams["options"]) {
    this.#options = options;
  }

  async walk(root: string): Promise<void> {
    if (this.#options.followDirectorySymlinks) this.#visited.add(await realpath(root));
    this.#queue.push({ path: root, depth: 0 });
    for (let read = 0; this.#queue.length > 0 && !this.truncated; read++) {
      if (read >= this.#options.maxDirectories) {
        this.truncated = true;
        return;
      }
      await this.#read(this.#queue.shift() as Folder);
    }
  }

  async #read(folder: Folder): Promise<void> {
    let found: Dirent[];
    try {
      found = await readdir(folder.path, { withFileTypes: true });
    } catch (error) {
      this.errors.push({ path: uriFromPath(folder.path), message: osErrorText(error) });
      return;
    }
    found.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of found) {
      const path = join(folder.path, entry.name);
      const kind = await this.#kind(entry, path);
      if (kind === undefined) continue;
      if (!this.#list(path, kind)) return;
      const hidden = this.#options.pruneHiddenDirectories === true && entry.name.startsWith(".");
      const enter = kind === "directory" && !hidden && folder.depth < this.#options.maxDepth;
      if (enter && (await this.#isNew(path))) this.#queue.push({ path, depth: folder.depth + 1 });
    }
  }

  /** A folder is entered once, however many links lead to it. */
  async #isNew(path: string): Promise<boolean> {
    if (!this.#options.followDirectorySymlinks) return true;
    const real = await realpath(path).catch(() => path);
    if (this.#visited.has(real)) return false;
    this.#visited.add(real);
    return true;
  }

  /** undefined: not listed. */
  async #kind(entry: Dirent, path: string): Promise<"file" | "directory" | undefined> {
    if (entry.isFile()) return "file";
    if (entry.isDirectory()) return "directory";
    if (!entry.isSymbolicLink() || !this.#options.followDirectorySymlinks) return undefined;
    const found = await stat(path).catch(() => undefined);
    return found?.isDirectory() ? "directory" : undefined;
  }

  #list(path: string, kind: "file" | "directory"): boolean {
    const uri = uriFromPath(path);
    this.#budget -= uri.length + ENTRY_OVERHEAD;
    if (this.entries.length >= this.#options.maxEntries || this.#budget < 0) {
      this.truncated = true;
      return false;
    }
    this.entries.push({ path: uri, kind });
    return true;
  }
}
