/**
 * What a turn's patches have changed so far, as one git-style diff. Remembers the first text it saw of every file
 * and the last; knows only what patches did, not what commands did.
 */
import type { PlannedFile } from "./plan-patch.js";
import { unifiedDiff } from "./unified-diff.js";

const NO_BLOB = "0".repeat(40);
const CONTEXT = 3;

interface Tracked {
  /** Where the turn found it; undefined: it was not there. */
  readonly origin: { readonly path: string; readonly text: string } | undefined;
  readonly text: string | undefined;
}

export class TurnDiff {
  /** By the path at which the file is now, or was when it was deleted. */
  readonly #files = new Map<string, Tracked>();

  /**
   * @param shown the path as the diff names it, with `/` between its parts
   * @param blobId git's id of a text, 40 hex digits
   */
  constructor(
    private readonly shown: (path: string) => string,
    private readonly blobId: (text: string) => string,
  ) {}

  record(files: readonly PlannedFile[]): void {
    for (const file of files) {
      const { origin } = this.#files.get(file.path) ?? {
        origin: file.before === undefined ? undefined : { path: file.path, text: file.before },
      };
      const target = file.movedTo ?? file.path;
      if (target !== file.path) this.#files.delete(file.path);
      this.#files.set(target, { origin, text: file.after });
    }
  }

  /** "" when nothing differs from how the turn found it. */
  text(): string {
    return [...this.#files]
      .map(([path, file]) => {
        const after = this.shown(path);
        return [file.origin === undefined ? after : this.shown(file.origin.path), after, file] as const;
      })
      .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
      .map(([before, after, file]) => fileDiff(before, after, file, this.blobId))
      .join("");
  }
}

function fileDiff(
  beforePath: string,
  afterPath: string,
  { origin, text }: Tracked,
  blobId: (text: string) => string,
): string {
  if (origin?.text === text && beforePath === afterPath) return "";
  const lines = [`diff --git a/${beforePath} b/${afterPath}`];
  if (origin === undefined) lines.push("new file mode 100644");
  if (text === undefined) lines.push("deleted file mode 100644");
  lines.push(
    `index ${origin === undefined ? NO_BLOB : blobId(origin.text)}..${text === undefined ? NO_BLOB : blobId(text)}`,
    `--- ${origin === undefined ? "/dev/null" : `a/${beforePath}`}`,
    `+++ ${text === undefined ? "/dev/null" : `b/${afterPath}`}`,
  );
  return `${lines.join("\n")}\n${unifiedDiff(origin?.text ?? "", text ?? "", CONTEXT)}`;
}
