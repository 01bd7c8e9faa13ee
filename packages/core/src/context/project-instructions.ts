/**
 * AGENTS.md files: the person's own from the home folder, then those from the project's root down to the working folder.
 * In each folder AGENTS.override.md stands in for AGENTS.md.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

/** Of the project's files together; the person's own does not count. */
const MAX_BYTES = 32 * 1024;
const NAMES = ["AGENTS.override.md", "AGENTS.md"];
const ROOT_MARKER = ".git";
/** Between the person's own instructions and the project's. */
const PROJECT_MARK = "\n\n--- project-doc ---\n\n";

export interface ProjectInstructions {
  readonly directory: string;
  readonly text: string;
  /** Absolute paths, in the order of the text. */
  readonly sources: readonly string[];
}

interface Found {
  readonly file: string;
  readonly bytes: Buffer;
}

/** The nearest folder above that holds a repository; else the folder itself. */
export async function projectRoot(cwd: string): Promise<string> {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    const found = await stat(path.join(at, ROOT_MARKER)).catch(() => undefined);
    if (found) return at;
    if (path.dirname(at) === at) return path.resolve(cwd);
  }
}

async function findIn(folder: string): Promise<Found | undefined> {
  for (const name of NAMES) {
    const file = path.join(folder, name);
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes !== undefined && bytes.length > 0) return { file, bytes };
  }
  return undefined;
}

/** undefined: there are none. `home`: the folder of the person's own instructions. */
export async function readProjectInstructions(
  cwd: string,
  home: string | undefined,
): Promise<ProjectInstructions | undefined> {
  const root = await projectRoot(cwd);
  const folders = [path.resolve(cwd)];
  while (folders[0] !== root) folders.unshift(path.dirname(folders[0]!));
  const own = home === undefined ? undefined : await findIn(home);
  const ownText = own?.bytes.toString("utf8").trim() ?? "";
  const sources = own && ownText !== "" ? [own.file] : [];
  const texts: string[] = [];
  let left = MAX_BYTES;
  for (const folder of folders) {
    const found = left === 0 ? undefined : await findIn(folder);
    if (!found) continue;
    const text = found.bytes.subarray(0, left).toString("utf8");
    left -= Math.min(left, found.bytes.length);
    if (text.trim() === "") continue;
    sources.push(found.file);
    texts.push(text);
  }
  const text = [ownText, texts.join("\n\n")].filter((part) => part !== "").join(PROJECT_MARK);
  return text === "" ? undefined : { directory: path.resolve(cwd), text, sources };
}
