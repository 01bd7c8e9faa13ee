/**
 * AGENTS.md files: the person's own from the home folder, then those from the project's root down to the working folder.
 * In each folder AGENTS.override.md stands in for AGENTS.md, and a project may know it by further names. What is no file is
 * passed over.
 */
import { stat } from "node:fs/promises";
import path from "node:path";
import { readRegularFile } from "./regular-file.js";

const NAMES = ["AGENTS.override.md", "AGENTS.md"];
/** Of the person's own file; what is beyond would fill a model's window by itself. */
const MAX_OWN_BYTES = 1024 * 1024;
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
  const folders = [path.resolve(cwd)];
  for (let at = folders[0] as string; path.dirname(at) !== at; ) folders.push((at = path.dirname(at)));
  const exists = (file: string) =>
    stat(file).then(
      () => true,
      () => false,
    );
  const marked = await Promise.all(
    folders.map(async (folder) => {
      const found = await Promise.all(markers.map((name) => exists(path.join(folder, name))));
      return found.includes(true);
    }),
  );
  return (folders.find((_, index) => marked[index]) ?? folders[0]) as string;
}

/** Those of the names that there are, in their order, each as far as `maxBytes`. */
async function* filesIn(folder: string, names: readonly string[], maxBytes: number): AsyncGenerator<Found> {
  for (const name of names) {
    const file = path.join(folder, name);
    const bytes = await readRegularFile(file, maxBytes).catch(() => undefined);
    if (bytes !== undefined) yield { file, bytes };
  }
}

async function ownInstructions(home: string): Promise<{ readonly file: string; readonly text: string } | undefined> {
  for await (const { file, bytes } of filesIn(home, NAMES, MAX_OWN_BYTES)) {
    const text = bytes.toString("utf8").trim();
    if (text !== "") return { file, text };
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
  const own = home === undefined ? undefined : await ownInstructions(home);
  const sources = own ? [own.file] : [];
  const texts: string[] = [];
  const names = [...NAMES, ...settings.fallbackNames];
  let left = settings.maxBytes;
  for (const folder of folders) {
    if (left === 0) break;
    // The first there is counts, even one that says nothing: so it can silence the one beside it.
    const { value: found } = await filesIn(folder, names, left).next();
    if (!found) continue;
    const text = found.bytes.toString("utf8");
    left -= found.bytes.length;
    if (text.trim() === "") continue;
    sources.push(found.file);
    texts.push(text);
  }
  const text = [own?.text ?? "", texts.join("\n\n")].filter((part) => part !== "").join(PROJECT_MARK);
  return text === "" ? undefined : { directory: path.resolve(cwd), text, sources };
}
