/** Where bubblewrap reads its filter of system calls. */
import { heldFile } from "./held-file.js";
import { seccompFilter } from "./seccomp-filter.js";

const opened = new Map<boolean, string | undefined>();

/** undefined: no filter is known for this machine. @throws {Error} there is no room for the file */
export function filterFile(network: boolean): string | undefined {
  if (!opened.has(network)) {
    const filter = seccompFilter(network);
    opened.set(network, filter && heldFile(filter, 0o600));
  }
  return opened.get(network);
}
