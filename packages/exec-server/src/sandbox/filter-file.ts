/**
 * Where bubblewrap reads its filter of system calls: a file without a name, held open by this process, so that no
 * confined process can change it. Owns the descriptors.
 */
import { randomUUID } from "node:crypto";
import { openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seccompFilter } from "./seccomp-filter.js";

const opened = new Map<boolean, string | undefined>();

/** undefined: no filter is known for this machine. @throws {Error} there is no room for the file */
export function filterFile(network: boolean): string | undefined {
  if (!opened.has(network)) opened.set(network, open(network));
  return opened.get(network);
}

function open(network: boolean): string | undefined {
  const filter = seccompFilter(network);
  if (filter === undefined) return undefined;
  const path = join(tmpdir(), `turnkit-filter-${randomUUID()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  writeSync(descriptor, filter);
  return `/proc/${process.pid}/fd/${descriptor}`;
}
