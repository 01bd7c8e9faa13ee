/**
 * One writer per session file. A lock is a file that names the process that holds it, complete from the moment it is
 * there; the lock of a process that is gone is taken over.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";
  constructor(
    readonly file: string,
    readonly pid: number,
  ) {
    super(`the session file ${file} is being written by process ${pid}`);
  }
}

export interface WriterLock {
  release(): Promise<void>;
}

/** Files this process itself writes. */
const own = new Set<string>();

/** @throws {SessionInUseError} another live writer has the file */
export async function acquireWriterLock(folder: string, file: string): Promise<WriterLock> {
  await mkdir(folder, { recursive: true });
  const lockFile = path.join(folder, `${path.basename(file)}.lock`);
  return await acquire(lockFile, file);
}

/** What this process does with a lock it does one after the other: between a file and what is known of it nobody looks. */
const queues = new Map<string, Promise<unknown>>();

async function inTurn<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(lockFile) ?? Promise.resolve();
  const result = before.then(work);
  const settled = result.catch(() => {});
  queues.set(lockFile, settled);
  try {
    return await result;
  } finally {
    if (queues.get(lockFile) === settled) queues.delete(lockFile);
  }
}

const acquire = (lockFile: string, file: string): Promise<WriterLock> => inTurn(lockFile, () => take(lockFile, file));

async function take(lockFile: string, file: string): Promise<WriterLock> {
  const mark = `${process.pid} ${(await startOf(process.pid)) ?? ""}\n`;
  for (;;) {
    if (await place(lockFile, mark)) {
      own.add(lockFile);
      return {
        release: () =>
          inTurn(lockFile, async () => {
            await unlink(lockFile).catch(() => {});
            own.delete(lockFile);
          }),
      };
    }
    const holder = await liveHolder(lockFile);
    if (holder !== undefined) throw new SessionInUseError(file, holder);
    await removeStale(lockFile, file);
  }
}

/** How long one that has found another at work on the same stale lock waits before it looks again. */
const RETRY_MS = 5;
/** File systems without hard links. */
const NO_LINKS = new Set<string | undefined>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** A file that is there is complete: it is linked to its place when it has been written. false: the place is taken. */
async function place(lockFile: string, mark: string): Promise<boolean> {
  const prepared = `${lockFile}.${randomUUID()}`;
  await writeFile(prepared, mark);
  try {
    await link(prepared, lockFile).catch(async (error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.has(error.code)) throw error;
      await writeFile(lockFile, mark, { flag: "wx" });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await unlink(prepared).catch(() => {});
  }
}

/** Of several that find a lock whose process is gone, one removes it: whoever holds the lock of the removal. */
async function removeStale(lockFile: string, file: string): Promise<void> {
  let removal: WriterLock;
  try {
    removal = await acquire(`${lockFile}.removal`, file);
  } catch (error) {
    if (!(error instanceof SessionInUseError)) throw error;
    await setTimeout(RETRY_MS);
    return;
  }
  try {
    if ((await liveHolder(lockFile)) === undefined) await unlink(lockFile).catch(() => {});
  } finally {
    await removal.release();
  }
}

/** The process that holds the lock; undefined: it is gone, or there is no lock. */
async function liveHolder(lockFile: string): Promise<number | undefined> {
  const [name = "", start = ""] = (await readFile(lockFile, "utf8").catch(() => "")).trim().split(" ");
  const pid = Number(name);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (pid === process.pid) return own.has(lockFile) ? pid : undefined;
  if (!isAlive(pid)) return undefined;
  // Numbers of processes come around again, after a restart of the machine at the latest.
  const now = await startOf(pid);
  return start !== "" && now !== undefined && now !== start ? undefined : pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a process began, where the system tells (Linux); only good for comparing. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in parentheses may contain anything; the start is the 20th field after it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}
