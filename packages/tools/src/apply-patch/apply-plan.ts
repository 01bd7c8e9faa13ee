/** Writes what a plan says, in the order of the patch, and words the result. */
import { FileError, type FileSystem } from "../file-system/file-system.js";
import { PatchApplyError } from "./patch.js";
import type { PatchPlan, PlannedFile } from "./plan-patch.js";

export interface ApplyPlanOptions {
  readonly files: FileSystem;
  /** Absolute path of the folder that holds a path. */
  readonly folderOf: (path: string) => string;
}

/**
 * @returns the files that were changed; with `failure` set, those before the one that failed
 */
export async function applyPlan(
  plan: PatchPlan,
  options: ApplyPlanOptions,
): Promise<{ readonly done: readonly PlannedFile[]; readonly failure: PatchApplyError | undefined }> {
  const done: PlannedFile[] = [];
  for (const file of plan.files) {
    try {
      await applyFile(file, options);
    } catch (error) {
      if (!(error instanceof PatchApplyError)) throw error;
      return { done, failure: error };
    }
    done.push(file);
  }
  return { done, failure: undefined };
}

async function applyFile(file: PlannedFile, { files, folderOf }: ApplyPlanOptions): Promise<void> {
  if (file.after === undefined) {
    await explained(`Failed to delete file ${file.path}`, () => files.remove(file.path));
    return;
  }
  const target = file.movedTo ?? file.path;
  const bytes = new TextEncoder().encode(file.after);
  if (file.action === "add" || file.movedTo !== undefined)
    await explained(`Failed to create parent directories for ${target}`, () => files.makeFolder(folderOf(target)));
  await explained(`Failed to write file ${target}`, () => files.write(target, bytes));
  if (file.movedTo !== undefined && file.movedTo !== file.path)
    await explained(`Failed to remove original ${file.path}`, () => files.remove(file.path));
}

async function explained(context: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new PatchApplyError(`${context}: ${error.message}`, { cause: error });
  }
}

const LETTERS = { add: "A", update: "M", delete: "D" } as const;

/** Names every file once, under its last letter: the added ones, then the changed, then the deleted. */
export function summary(files: readonly PlannedFile[]): string {
  const lines = (["add", "update", "delete"] as const).flatMap((action) =>
    files.filter((file) => file.action === action).map((file) => `${LETTERS[action]} ${file.shownPath}`),
  );
  return `Success. Updated the following files:\n${[...new Set(lines)].join("\n")}\n`;
}

/** `seconds` is shown with one decimal at most. */
export function outputText(exitCode: number, seconds: number, text: string): string {
  return `Exit code: ${exitCode}\nWall time: ${Math.round(seconds * 10) / 10} seconds\nOutput:\n${text}`;
}
