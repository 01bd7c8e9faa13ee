/**
 * Folders that stand in for protected ones that do not exist: bubblewrap makes them in the workspace to mount an empty
 * read-only folder over them, and they go when no confined process needs them. Owns counting and removing.
 * Platform facts: removing a folder takes away what other namespaces have mounted over it, so all of them are asked. The
 * namespace of a sandbox lives a little longer than the process that was waited for.
 */
import { readdirSync, readFileSync, rmdirSync } from "node:fs";

const SWEEP_MS = 200;
/** Looks at a folder that is mounted over, each after twice the time of the one before: the last after 13 s. */
const MAX_LOOKS = 6;
/** At exit nothing can be done later: so long are sandboxes waited for that end just then. */
const EXIT_LOOKS = 10;
const EXIT_LOOK_MS = 25;

const uses = new Map<string, number>();
/** How often each has been looked at. */
const unused = new Map<string, number>();
let sweeping: NodeJS.Timeout | undefined;
let sweepsAtExit = false;

/** Whether the folder is, or is about to be, one of ours. */
export function isPlaceholder(path: string): boolean {
  return uses.has(path) || unused.has(path);
}

/** From before the process starts; returns what is to be called once it has ended. */
export function usePlaceholders(paths: readonly string[]): () => void {
  for (const path of paths) {
    unused.delete(path);
    uses.set(path, (uses.get(path) ?? 0) + 1);
  }
  let done = false;
  return () => {
    if (done) return;
    done = true;
    for (const path of paths) release(path);
  };
}

function release(path: string): void {
  const left = (uses.get(path) ?? 1) - 1;
  if (left > 0) {
    uses.set(path, left);
    return;
  }
  uses.delete(path);
  unused.set(path, 0);
  sweepIn(SWEEP_MS);
  if (sweepsAtExit) return;
  sweepsAtExit = true;
  process.on("exit", sweepAtExit);
}

function sweepIn(milliseconds: number): void {
  clearTimeout(sweeping);
  sweeping = setTimeout(sweep, milliseconds).unref();
}

/** Removes what is unused here; what is mounted over by a sandbox is looked at again later. Folders with content stay. */
export function sweep(): void {
  clearTimeout(sweeping);
  const mounted = unused.size === 0 ? new Set<string>() : mountPoints();
  let fewest = MAX_LOOKS;
  for (const [path, looks] of [...unused]) {
    if (mounted.has(path) && looks < MAX_LOOKS) {
      unused.set(path, looks + 1);
      fewest = Math.min(fewest, looks);
      continue;
    }
    unused.delete(path);
    if (mounted.has(path)) continue;
    try {
      rmdirSync(path);
    } catch {}
  }
  if (unused.size > 0) sweepIn(SWEEP_MS * 2 ** fewest);
}

function sweepAtExit(): void {
  sweep();
  for (let look = 0; unused.size > 0 && look < EXIT_LOOKS; look++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_LOOK_MS);
    sweep();
  }
}

function mountPoints(): Set<string> {
  const points = new Set<string>();
  const namespaces = new Set<string>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const text = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
      if (namespaces.has(text)) continue;
      namespaces.add(text);
      for (const line of text.split("\n")) points.add(unescaped(line.split(" ")[4] ?? ""));
    } catch {}
  }
  return points;
}

/** Blanks and the like are octal there. */
function unescaped(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
