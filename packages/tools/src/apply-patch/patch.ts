/** A patch as it was read: what is to be done to which file. Paths are as written. */

export interface UpdateChunk {
  /** A line that stands before the chunk, by which its place is found. */
  readonly anchor: string | undefined;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The old lines are the last ones of the file. */
  readonly atEnd: boolean;
}

export type PatchSection =
  | { readonly type: "add"; readonly path: string; readonly content: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update";
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly chunks: readonly UpdateChunk[];
    };

/** The text is not a patch. `line` counts from 1 in the patch as it was given; undefined: the patch as a whole. */
export class PatchSyntaxError extends Error {
  override readonly name = "PatchSyntaxError";
  constructor(
    readonly reason: string,
    readonly line: number | undefined,
  ) {
    super(line === undefined ? `invalid patch: ${reason}` : `invalid hunk at line ${line}, ${reason}`);
  }
}

/** The patch does not fit the files it names, or a file could not be read or written. */
export class PatchApplyError extends Error {
  override readonly name = "PatchApplyError";
}
