/**
 * AGENTS.md files: the person's own from the home folder, then those from the project's root down to the working folder.
 * In each folder AGENTS.override.md stands in for AGENTS.md, and a project may know it by further names.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

const NAMES = ["AGENTS.override.md", "AGENTS.md"];
/** Between the person's own instructions and the project's. */
const PROJECT_MARK = "\n\n--- project-doc ---\n\n";

export interface ProjectInstructionSettings {
  /** Of the project's files together; the person's own does not count. 0: none of the project's. */
  readonly maxBytes: number;
  /** File names that are tried in a project's folder after the usual ones. */
  readonly fallbackNames: readonly string[];
  /** Names of files or folders that make a folder a project's root; none: only the working folder itself is read. */
  readonly rootMarkers: readonly string[];
}

export const PROJECT_INSTRUCTION_DEFAULTS: ProjectInstructionSettings = {
  maxBytes: 32 * 1024,
  fallbackNames: [],
  rootMarkers: [".git"],
};

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

/** The nearest folder above that holds one of the markers, by default a repository; else the folder itself. */
export async function projectRoot(
  cwd: string,
  markers: readonly string[] = PROJECT_INSTRUCTION_DEFAULTS.rootMarkers,
): Promise<string> {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    const found = await Promise.all(markers.map((name) => stat(path.join(at, name)).catch(() => undefined)));
    if (found.some(Boolean)) return at;
    if (path.dirname(at) === at) return path.resolve(cwd);
  }
}

async function findIn(folder: string, names: readonly string[]): Promise<Found | undefined> {
  for (const name of names) {
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
  settings = PROJECT_INSTRUCTION_DEFAULTS,
): Promise<ProjectInstructions | undefined> {
  const root = await projectRoot(cwd, settings.rootMarkers);
  const folders = [path.resolve(cwd)];
  while (folders[0] !== root) folders.unshift(path.dirname(folders[0]!));
  const own = home === undefined ? undefined : await findIn(home, NAMES);
  const ownText = own?.bytes.toString("utf8").trim() ?? "";
  const sources = own && ownText !== "" ? [own.file] : [];
  const texts: string[] = [];
  const names = [...NAMES, ...settings.fallbackNames];
  let left = settings.maxBytes;
  for (const folder of folders) {
    const found = left === 0 ? undefined : await findIn(folder, names);
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
