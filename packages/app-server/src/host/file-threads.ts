/** Threads as files of the home folder, for the app-server: the core's summaries in the protocol's spelling. */
import { mapSideBySide, readThread, searchFile, ThreadFiles, type ThreadSummary } from "@turnkit/core/rollout";
import type { SessionSource } from "@turnkit/protocol";
import type { AppGitInfo, AppSessionSource, Turn } from "@turnkit/protocol/app";
import { projectThread } from "@turnkit/protocol/rollout";
import type { FoundThread, ThreadQuery, ThreadRecord, ThreadStore } from "../ports.js";

/** Files that are searched side by side; more would only hold more of them in memory. */
const FILES_AT_ONCE = 4;

export class FileThreads implements ThreadStore {
  readonly files: ThreadFiles;

  constructor(home: string) {
    this.files = new ThreadFiles(home);
  }

  async list(query: ThreadQuery): Promise<ThreadRecord[]> {
    const summaries = await this.files.list({ archived: query.archived });
    const rows = summaries.filter((summary) => summary.preview !== "" && matches(summary, query));
    const key = query.sortKey === "createdAt" ? "createdAtMs" : "updatedAtMs";
    // Ids are made in order of time: they decide between threads of the same moment.
    rows.sort((left, right) => right[key] - left[key] || (left.id < right.id ? 1 : -1));
    if (query.ascending) rows.reverse();
    return rows.map(toRecord);
  }

  async find(threadId: string): Promise<ThreadRecord | null> {
    const summary = await this.files.find(threadId);
    return summary ? toRecord(summary) : null;
  }

  async read(path: string): Promise<ThreadRecord | null> {
    const summary = await this.files.read(path);
    return summary ? toRecord(summary) : null;
  }

  async turns(path: string): Promise<Turn[]> {
    const { records, inherited } = await readThread(path, { findFiles: (id) => this.files.findFiles(id) });
    return projectThread(records, { inherited }).turns;
  }

  async archive(threadId: string): Promise<ThreadRecord> {
    return this.#moved(await this.files.archive(threadId));
  }

  async unarchive(threadId: string): Promise<ThreadRecord> {
    return this.#moved(await this.files.unarchive(threadId));
  }

  remove(threadId: string): Promise<void> {
    return this.files.remove(threadId);
  }

  rename(threadId: string, name: string | null): Promise<void> {
    return this.files.setName(threadId, name);
  }

  setGitInfo(threadId: string, { sha, branch, originUrl }: AppGitInfo): Promise<void> {
    return this.files.setGit(threadId, {
      ...(sha === null ? {} : { commit_hash: sha }),
      ...(branch === null ? {} : { branch }),
      ...(originUrl === null ? {} : { repository_url: originUrl }),
    });
  }

  async search(term: string, query: ThreadQuery): Promise<FoundThread[]> {
    const records = await this.list(query);
    const found = await mapSideBySide(records, FILES_AT_ONCE, async (record) => {
      const { path, name, preview } = record;
      const said = path === null ? undefined : await searchFile(path, term).catch(() => undefined);
      const snippet = said ?? (name?.toLowerCase().includes(term.toLowerCase()) ? preview : undefined);
      return snippet === undefined ? [] : [{ record, snippet }];
    });
    return found.flat();
  }

  async #moved(path: string): Promise<ThreadRecord> {
    const record = await this.read(path);
    if (!record) throw new Error(`${path} cannot be read`);
    return record;
  }
}

const seconds = (ms: number) => Math.floor(ms / 1000);

export function toRecord(summary: ThreadSummary): ThreadRecord {
  return {
    id: summary.id,
    sessionId: summary.sessionId,
    forkedFromId: summary.forkedFromId,
    parentThreadId: summary.parentThreadId,
    path: summary.path,
    cwd: summary.cwd,
    createdAt: seconds(summary.createdAtMs),
    updatedAt: seconds(summary.updatedAtMs),
    preview: summary.preview,
    modelProvider: summary.modelProvider,
    source: toAppSource(summary.source),
    threadSource: summary.threadSource,
    cliVersion: summary.cliVersion,
    gitInfo: summary.git && {
      sha: summary.git.commit_hash ?? null,
      branch: summary.git.branch ?? null,
      originUrl: summary.git.repository_url ?? null,
    },
    name: summary.name,
  };
}

/** `mcp` is spelled `appServer` by the app protocol; kinds it has no word for are `unknown`. */
export function toAppSource(source: SessionSource): AppSessionSource {
  if (source === "mcp") return "appServer";
  if (typeof source === "string") return source;
  if ("custom" in source) return source;
  return "subagent" in source ? { subAgent: source.subagent } : "unknown";
}

function matches(summary: ThreadSummary, query: ThreadQuery): boolean {
  if (query.cwds !== null && !query.cwds.includes(summary.cwd)) return false;
  if (query.modelProviders !== null && !query.modelProviders.includes(summary.modelProvider)) return false;
  if (query.sources !== null && !query.sources.includes(kindOf(summary.source))) return false;
  if (query.searchTerm === null) return true;
  const words = `${summary.name ?? ""}\n${summary.preview}`.toLowerCase();
  return words.includes(query.searchTerm.toLowerCase());
}

function kindOf(source: SessionSource): string {
  const app = toAppSource(source);
  return typeof app === "string" ? app : "subAgent" in app ? "subAgent" : "unknown";
}
