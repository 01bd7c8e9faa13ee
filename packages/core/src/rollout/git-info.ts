/** What a folder's repository is at, read from its files without running git. */
import { stat } from "node:fs/promises";
import path from "node:path";
import type { GitInfo } from "@turnkit/protocol";
import { readRegularText } from "../context/regular-file.js";

/** The references of a large repository together. */
const MAX_BYTES = 64 * 1024 * 1024;

const text = (file: string) => readRegularText(file, MAX_BYTES).catch(() => undefined);

/** undefined: the folder is in no repository. */
export async function gitInfo(folder: string): Promise<GitInfo | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const repository = await gitFolder(path.join(at, ".git"));
    // To git an empty folder is no repository; a sandbox makes one for the time being.
    if (repository && (await text(path.join(repository, "HEAD"))) !== undefined) return await readInfo(repository);
    if (path.dirname(at) === at) return undefined;
  }
}

async function gitFolder(entry: string): Promise<string | undefined> {
  try {
    const found = await stat(entry);
    if (found.isDirectory()) return entry;
    const pointer = /^gitdir: (.+)$/m.exec(await readRegularText(entry, MAX_BYTES));
    return pointer ? path.resolve(path.dirname(entry), pointer[1]!.trim()) : undefined;
  } catch {
    return undefined;
  }
}

async function readInfo(repository: string): Promise<GitInfo> {
  const common = (await text(path.join(repository, "commondir")))?.trim();
  const shared = common ? path.resolve(repository, common) : repository;
  const head = (await text(path.join(repository, "HEAD")))?.trim() ?? "";
  const reference = /^ref: (.+)$/.exec(head)?.[1];
  const commit = reference ? await resolveReference(repository, shared, reference) : head;
  const config = (await text(path.join(shared, "config"))) ?? "";
  const url = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(.+)$/ms.exec(config)?.[1]?.split("\n")[0]?.trim();
  return {
    ...(commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? { commit_hash: commit } : {}),
    ...(reference?.startsWith("refs/heads/") ? { branch: reference.slice("refs/heads/".length) } : {}),
    ...(url ? { repository_url: url } : {}),
  };
}

async function resolveReference(repository: string, shared: string, reference: string): Promise<string | undefined> {
  for (const folder of [repository, shared]) {
    const loose = await text(path.join(folder, reference));
    if (loose !== undefined) return loose.trim();
  }
  const packed = (await text(path.join(shared, "packed-refs"))) ?? "";
  return packed
    .split("\n")
    .find((line) => line.endsWith(` ${reference}`))
    ?.split(" ")[0];
}
