// @ts-check
// Clearing away after programs: a process that was just ended, or a child of one, may still write for a moment.
import { rm } from "node:fs/promises";

/**
 * Removes a folder, again and again for about five seconds while something appears in it. `rmSync` will not do: in
 * Node 20 it repeats only the removal of the folder itself, never that of its content.
 * @param {string} folder
 * @returns {Promise<void>}
 */
export function removeFolder(folder) {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
}
