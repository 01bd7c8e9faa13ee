/** AGENTS.md files from the project's root down to the working folder, joined. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

const MAX_BYTES = 32 * 1024;
const FILE = "AGENTS.md";
const ROOT_MARKER = ".git";

export interface ProjectInstructions {
  readonly directory: string;
  readonly text: string;
  readonly sources: readonly string[];
}

/** The nearest folder above that holds a repository; else the folder itself. */
export async function projectRoot(cwd: string): Promise<string> {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    const found = await stat(path.join(at, ROOT_MARKER)).catch(() => undefined);
    if (found) return at;
    if (path.dirname(at) === at) return path.resolve(cwd);
  }
}

/** undefined: there are none. */
export async function readProjectInstructions(
  cwd: string,
  home: string | undefined,
): Promise<ProjectInstructions | undefined> {
  const root = await projectRoot(cwd);
  const folders = [path.resolve(cwd)];
  while (folders[0] !== root) folders.unshift(path.dirname(folders[0]!));
  if (home !== undefined) folders.unshift(home);
  const sources: string[] = [];
  const texts: string[] = [];
  let left = MAX_BYTES;
  for (const folder of folders) {
    const file = path.join(folder, FILE);
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined || bytes.length === 0 || left === 0) continue;
    const text = bytes.subarray(0, left).toString("utf8");
    left -= Math.min(left, bytes.length);
    if (text.trim() === "") continue;
    sources.push(file);
    texts.push(text);
  }
  return texts.length === 0 ? undefined : { directory: path.resolve(cwd), text: texts.join("\n\n"), sources };
}
