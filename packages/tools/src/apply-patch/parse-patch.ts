/**
 * Reads the text of a patch. Tolerates what models get wrong without changing the meaning: blanks around marker
 * lines, and a heredoc wrapper left around the whole patch.
 */
import { type PatchSection, PatchSyntaxError, type UpdateChunk } from "./patch.js";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const ADD = "*** Add File: ";
const DELETE = "*** Delete File: ";
const UPDATE = "*** Update File: ";
const MOVE = "*** Move to: ";
const END_OF_FILE = "*** End of File";
const HEREDOC_OPENINGS = new Set(["<<EOF", "<<'EOF'", '<<"EOF"']);

/** @throws {PatchSyntaxError} */
export function parsePatch(text: string): readonly PatchSection[] {
  const { lines, firstLine } = withoutHeredoc(text.trim().split("\n").map(withoutCarriageReturn));
  if (lines[0]?.trim() !== BEGIN)
    throw new PatchSyntaxError(`The first line of the patch must be '${BEGIN}'`, undefined);
  if (lines.at(-1)?.trim() !== END || lines.length === 1)
    throw new PatchSyntaxError(`The last line of the patch must be '${END}'`, undefined);
  return new Reader(lines.slice(1, -1), firstLine + 1).sections();
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function withoutHeredoc(lines: readonly string[]): { readonly lines: readonly string[]; readonly firstLine: number } {
  const wrapped = lines.length >= 4 && HEREDOC_OPENINGS.has(lines[0]!.trim()) && lines.at(-1)!.endsWith("EOF");
  return wrapped ? { lines: lines.slice(1, -1), firstLine: 2 } : { lines, firstLine: 1 };
}

function isHeader(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(ADD) || trimmed.startsWith(DELETE) || trimmed.startsWith(UPDATE);
}

class Reader {
  #at = 0;

  /** `firstLine` is the number, in the whole patch, of the first of `lines`. */
  constructor(
    private readonly lines: readonly string[],
    private readonly firstLine: number,
  ) {}

  sections(): readonly PatchSection[] {
    const sections: PatchSection[] = [];
    while (this.#at < this.lines.length) sections.push(this.#section());
    return sections;
  }

  #fail(reason: string): never {
    throw new PatchSyntaxError(reason, this.firstLine + this.#at);
  }

  #section(): PatchSection {
    const header = this.lines[this.#at]!.trim();
    if (header.startsWith(ADD)) {
      this.#at++;
      return { type: "add", path: header.slice(ADD.length), content: this.#addedContent() };
    }
    if (header.startsWith(DELETE)) {
      this.#at++;
      return { type: "delete", path: header.slice(DELETE.length) };
    }
    if (header.startsWith(UPDATE)) return this.#update(header.slice(UPDATE.length));
    return this.#fail(
      `'${header}' is not a valid hunk header. Valid hunk headers: '${ADD}{path}', '${DELETE}{path}', '${UPDATE}{path}'`,
    );
  }

  #addedContent(): string {
    let content = "";
    for (let line = this.lines[this.#at]; line?.startsWith("+"); line = this.lines[++this.#at])
      content += `${line.slice(1)}\n`;
    return content;
  }

  #update(path: string): PatchSection {
    const headerAt = this.#at++;
    let moveTo: string | undefined;
    if (this.lines[this.#at]?.startsWith(MOVE)) moveTo = this.lines[this.#at++]!.slice(MOVE.length);
    const chunks: UpdateChunk[] = [];
    for (let line = this.lines[this.#at]; line !== undefined; line = this.lines[this.#at]) {
      if (line.trim() === "") this.#at++;
      else if (isHeader(line)) break;
      else chunks.push(this.#chunk(chunks.length === 0));
    }
    if (chunks.length === 0) {
      this.#at = headerAt;
      this.#fail(`Update file hunk for path '${path}' is empty`);
    }
    return { type: "update", path, moveTo, chunks };
  }

  #chunk(mayLackAnchor: boolean): UpdateChunk {
    const first = this.lines[this.#at]!;
    let anchor: string | undefined;
    if (first.trimEnd() === "@@") this.#at++;
    else if (first.startsWith("@@ ")) {
      anchor = first.slice(3);
      this.#at++;
    } else if (!mayLackAnchor) this.#fail(`Expected update hunk to start with a @@ context marker, got: '${first}'`);
    const oldLines: string[] = [];
    const newLines: string[] = [];
    let atEnd = false;
    const start = this.#at;
    for (let line = this.lines[this.#at]; line !== undefined; line = this.lines[this.#at]) {
      if (line === END_OF_FILE && this.#at > start) {
        this.#at++;
        atEnd = true;
        break;
      }
      const mark = line[0];
      if (mark !== undefined && mark !== " " && mark !== "+" && mark !== "-") {
        if (this.#at === start)
          this.#fail(
            `Unexpected line found in update hunk: '${line}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`,
          );
        break;
      }
      // A blank line stands for a context line whose only character was lost.
      const rest = line.slice(1);
      if (mark !== "+") oldLines.push(rest);
      if (mark !== "-") newLines.push(rest);
      this.#at++;
    }
    if (this.#at === start) this.#fail("Update hunk does not contain any lines");
    return { anchor, oldLines, newLines, atEnd };
  }
}
