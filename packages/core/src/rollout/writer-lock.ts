/**
 * One writer per session file. A lock names the process that holds it; the lock of a process that is gone is taken
 * over.
 */
import { mkdir, open, readFile, unlink } from "node:fs/promises";
import path from "node:path";

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
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(lockFile, "wx");
      await handle.write(`${process.pid}\n`);
      await handle.close();
      own.add(lockFile);
      return {
        async release() {
          own.delete(lockFile);
          await unlink(lockFile).catch(() => {});
        },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const pid = Number.parseInt(await readFile(lockFile, "utf8").catch(() => ""), 10);
      const held = pid === process.pid ? own.has(lockFile) : isAlive(pid);
      if (held || attempt > 5) throw new SessionInUseError(file, pid);
      await unlink(lockFile).catch(() => {});
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
