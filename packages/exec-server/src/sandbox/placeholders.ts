/**
 * Folders that stand in for protected ones that do not exist: bubblewrap makes them in the workspace to mount an empty
 * read-only folder over them, and they go when no confined process needs them. Owns counting and removing.
 * Platform fact: removing a folder takes away what other namespaces have mounted over it, so all of them are asked.
 */
import { readdirSync, readFileSync, rmdirSync } from "node:fs";

const SWEEP_MS = 200;

const uses = new Map<string, number>();
const unused = new Set<string>();
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
  unused.add(path);
  sweeping ??= setTimeout(sweep, SWEEP_MS).unref();
  if (sweepsAtExit) return;
  sweepsAtExit = true;
  process.on("exit", sweep);
}

/** Removes what is unused here and not mounted over by another program's sandbox. Folders with content stay. */
export function sweep(): void {
  clearTimeout(sweeping);
  sweeping = undefined;
  if (unused.size === 0) return;
  const mounted = mountPoints();
  for (const path of unused) {
    unused.delete(path);
    if (mounted.has(path)) continue;
    try {
      rmdirSync(path);
    } catch {}
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
