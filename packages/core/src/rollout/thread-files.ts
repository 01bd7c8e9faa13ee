/** The kept threads of a home folder: finding, listing, archiving, deleting, naming. */
import { appendFile, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { GitInfo } from "@turnkit/protocol";
import { parseRolloutFileName } from "@turnkit/protocol/rollout";
import { validate } from "@turnkit/protocol/validate";
import { mapSideBySide } from "../side-by-side.js";
import { ARCHIVED_FOLDER, SESSIONS_FOLDER } from "./rollout-path.js";
import { ThreadIndex } from "./thread-index.js";
import { summarize, type ThreadSummary } from "./thread-summary.js";

/** There is no such thread. */
export class ThreadNotFoundError extends Error {
  override readonly name = "ThreadNotFoundError";
  constructor(readonly threadId: string) {
    super(`no rollout found for thread id ${threadId}`);
  }
}

interface Amended {
  readonly names: ReadonlyMap<string, string | null>;
  readonly git: ReadonlyMap<string, GitInfo>;
}

interface FoundFile {
  readonly path: string;
  readonly threadId: string;
  readonly archived: boolean;
}

export class ThreadFiles {
  readonly #index: ThreadIndex;

  constructor(readonly home: string) {
    this.#index = new ThreadIndex(path.join(home, "thread-index.json"));
  }

  /** In no particular order. Files without a readable head are left out. */
  async list(options: { readonly archived: boolean }): Promise<ThreadSummary[]> {
    const files = await this.#files();
    const names = await this.#amended();
    const wanted = files.filter((file) => file.archived === options.archived);
    const summaries = await mapSideBySide(wanted, FILES_AT_ONCE, (file) => this.#summary(file, names));
    await this.#index.save(new Set(files.map((file) => file.path)));
    return summaries.filter((summary) => summary !== undefined);
  }

  /** The file of a thread, newest first where there are several. */
  async findFiles(threadId: string): Promise<readonly string[]> {
    const files = await this.#files();
    return files
      .filter((file) => file.threadId === threadId)
      .sort((a, b) => (path.basename(a.path) < path.basename(b.path) ? 1 : -1))
      .map((file) => file.path);
  }

  async find(threadId: string): Promise<ThreadSummary | undefined> {
    const files = await this.#files();
    const file = files.filter((each) => each.threadId === threadId).sort((a, b) => (a.path < b.path ? 1 : -1))[0];
    return file && (await this.#summary(file, await this.#amended()));
  }

  /** A file by its path; undefined: there is none, or it has no readable head. */
  async read(file: string): Promise<ThreadSummary | undefined> {
    const named = parseRolloutFileName(file);
    const archived = file.startsWith(path.join(this.home, ARCHIVED_FOLDER) + path.sep);
    return await this.#summary({ path: file, threadId: named?.threadId ?? "", archived }, await this.#amended());
  }

  async #summary(file: FoundFile, amended: Amended): Promise<ThreadSummary | undefined> {
    const found = await stat(file.path).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const facts = await this.#index.facts(file.path, found.mtimeMs, found.size, () => summarize(file.path));
    if (!facts) return undefined;
    return {
      ...facts,
      path: file.path,
      archived: file.archived,
      updatedAtMs: Math.floor(found.mtimeMs),
      name: amended.names.get(facts.id) ?? null,
      git: amended.git.get(facts.id) ?? facts.git,
    };
  }

  /** @throws {ThreadNotFoundError} */
  async archive(threadId: string): Promise<string> {
    return await this.#move(threadId, false, (file) => path.join(this.home, ARCHIVED_FOLDER, path.basename(file)));
  }

  /** @throws {ThreadNotFoundError} */
  async unarchive(threadId: string): Promise<string> {
    return await this.#move(threadId, true, (file) => {
      const [year, month, day] = /rollout-(\d{4})-(\d\d)-(\d\d)T/.exec(path.basename(file))?.slice(1) ?? [];
      return path.join(this.home, SESSIONS_FOLDER, year ?? "", month ?? "", day ?? "", path.basename(file));
    });
  }

  async #move(threadId: string, archived: boolean, target: (file: string) => string): Promise<string> {
    const files = (await this.#files()).filter((file) => file.threadId === threadId && file.archived === archived);
    if (files.length === 0) throw new ThreadNotFoundError(threadId);
    let moved = "";
    for (const file of files) {
      moved = target(file.path);
      await mkdir(path.dirname(moved), { recursive: true });
      await rename(file.path, moved);
    }
    return moved;
  }

  /** @throws {ThreadNotFoundError} */
  async remove(threadId: string): Promise<void> {
    const files = (await this.#files()).filter((file) => file.threadId === threadId);
    if (files.length === 0) throw new ThreadNotFoundError(threadId);
    for (const file of files) await rm(file.path);
  }

  /** null takes the name away. */
  async setName(threadId: string, name: string | null): Promise<void> {
    await mkdir(this.home, { recursive: true });
    const entry = { id: threadId, thread_name: name, updated_at: new Date().toISOString() };
    await appendFile(path.join(this.home, NAMES_FILE), `${JSON.stringify(entry)}\n`);
  }

  /** Takes the place of what the thread's file says of its repository. */
  async setGit(threadId: string, git: GitInfo): Promise<void> {
    await mkdir(this.home, { recursive: true });
    const entry = { id: threadId, git, updated_at: new Date().toISOString() };
    await appendFile(path.join(this.home, METADATA_FILE), `${JSON.stringify(entry)}\n`);
  }

  /** What was said of threads beside their files; the newest word counts. */
  async #amended(): Promise<Amended> {
    const names = new Map<string, string | null>();
    for (const { id, thread_name: name } of await this.#entries(NAMES_FILE))
      names.set(id, typeof name === "string" ? name : null);
    const git = new Map<string, GitInfo>();
    for (const { id, git: given } of await this.#entries(METADATA_FILE)) {
      const checked = validate("GitInfo", given);
      if (checked.ok) git.set(id, checked.value);
    }
    return { names, git };
  }

  async #entries(file: string): Promise<readonly ({ readonly id: string } & Readonly<Record<string, unknown>>)[]> {
    const text = await readFile(path.join(this.home, file), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => {
      try {
        const entry = JSON.parse(line) as { id?: unknown };
        return typeof entry.id === "string" ? [{ ...entry, id: entry.id }] : [];
      } catch {
        // A line that is not whole says nothing.
        return [];
      }
    });
  }

  async #files(): Promise<FoundFile[]> {
    const found: FoundFile[] = [];
    for (const [folder, archived] of [
      [SESSIONS_FOLDER, false],
      [ARCHIVED_FOLDER, true],
    ] as const)
      for (const file of await filesBelow(path.join(this.home, folder))) {
        const named = parseRolloutFileName(file);
        if (named) found.push({ path: file, threadId: named.threadId, archived });
      }
    return found;
  }
}

/** Waiting for the disk is most of what a list of thousands costs. */
const FILES_AT_ONCE = 8;

const NAMES_FILE = "session_index.jsonl";
const METADATA_FILE = "thread_metadata.jsonl";

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
