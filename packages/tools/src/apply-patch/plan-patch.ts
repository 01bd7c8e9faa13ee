/**
 * Works out what a patch does before anything is written: every file is read, every chunk placed. A patch that
 * does not fit changes nothing.
 */
import type { FileChange } from "@turnkit/protocol";
import { FileError, type FileSystem } from "../file-system/file-system.js";
import { PatchApplyError, type PatchSection, PatchSyntaxError } from "./patch.js";
import { patchedText } from "./patched-text.js";
import { unifiedDiff } from "./unified-diff.js";

export interface PlannedFile {
  /** Absolute. */
  readonly path: string;
  /** As the patch spells it (a moved file under its new path). */
  readonly shownPath: string;
  /** Before the patch; undefined: the file did not exist. */
  readonly before: string | undefined;
  /** After the patch; undefined: the file is gone. */
  readonly after: string | undefined;
  /** Absolute; where `after` goes when the file is moved. */
  readonly movedTo: string | undefined;
  readonly action: "add" | "delete" | "update";
}

export interface PatchPlan {
  readonly files: readonly PlannedFile[];
  /** What clients and session files are told, by absolute path. */
  readonly changes: { [path: string]: FileChange };
}

export interface PlanOptions {
  readonly files: FileSystem;
  /** Absolute path of a path in the patch. */
  readonly resolve: (path: string) => string;
}

/**
 * @throws {PatchSyntaxError} two sections name the same file
 * @throws {PatchApplyError} a file cannot be read or a chunk has no place in it
 */
export async function planPatch(sections: readonly PatchSection[], options: PlanOptions): Promise<PatchPlan> {
  refuseRepeatedTargets(sections, options);
  const files: PlannedFile[] = [];
  for (const section of sections) files.push(await planSection(section, options));
  const changes: { [path: string]: FileChange } = {};
  for (const file of files) changes[file.path] = changeOf(file);
  return { files, changes };
}

function refuseRepeatedTargets(sections: readonly PatchSection[], { resolve }: PlanOptions): void {
  const seen = new Set<string>();
  for (const section of sections) {
    const moved = section.type === "update" && section.moveTo !== undefined ? [resolve(section.moveTo)] : [];
    for (const path of new Set([resolve(section.path), ...moved])) {
      if (seen.has(path)) throw new PatchSyntaxError(`multiple operations target ${path}`, undefined);
      seen.add(path);
    }
  }
}

async function planSection(section: PatchSection, { files, resolve }: PlanOptions): Promise<PlannedFile> {
  const path = resolve(section.path);
  switch (section.type) {
    case "add": {
      const before = await readIfThere(path, files);
      return { path, shownPath: section.path, before, after: section.content, movedTo: undefined, action: "add" };
    }
    case "delete": {
      const before = await readOr(path, files, `Failed to read ${path}`);
      return { path, shownPath: section.path, before, after: undefined, movedTo: undefined, action: "delete" };
    }
    case "update": {
      const before = await readOr(path, files, `Failed to read file to update ${path}`);
      const after = patchedText(path, before, section.chunks);
      const movedTo = section.moveTo === undefined ? undefined : resolve(section.moveTo);
      return { path, shownPath: section.moveTo ?? section.path, before, after, movedTo, action: "update" };
    }
  }
}

async function readText(path: string, files: FileSystem): Promise<string> {
  const bytes = await files.read(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileError("stream did not contain valid UTF-8", undefined);
  }
}

async function readOr(path: string, files: FileSystem, context: string): Promise<string> {
  try {
    return await readText(path, files);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new PatchApplyError(`${context}: ${error.message}`, { cause: error });
  }
}

/** What stands in the way of writing is reported when the file is written. */
async function readIfThere(path: string, files: FileSystem): Promise<string | undefined> {
  try {
    return await readText(path, files);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return undefined;
  }
}

function changeOf(file: PlannedFile): FileChange {
  if (file.action === "add") return { type: "add", content: file.after! };
  if (file.action === "delete") return { type: "delete", content: file.before! };
  return {
    type: "update",
    unified_diff: unifiedDiff(file.before!, file.after!, 1),
    move_path: file.movedTo ?? null,
  };
}
