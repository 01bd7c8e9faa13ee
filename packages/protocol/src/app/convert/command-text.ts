/** A command's words as one line a shell would read back, and places as paths. */

const bare = /^[A-Za-z0-9+\-./:@\]_]$/;
const singleQuotable = (char: string) => char !== "'" && char !== "^" && char !== "\\";
const doubleQuotable = (char: string) => char !== "`" && char !== "$" && char !== "!" && char !== "^";

type Quoting = "bare" | "single" | "double";
const order: readonly Quoting[] = ["bare", "single", "double"];

function allows(quoting: Quoting, char: string): boolean {
  if (quoting === "bare") return bare.test(char);
  return quoting === "single" ? singleQuotable(char) : doubleQuotable(char);
}

function quoteChunk(chunk: string, quoting: Quoting): string {
  if (quoting === "bare") return chunk;
  if (quoting === "single") return `'${chunk}'`;
  return `"${chunk.replace(/[$`"\\]/g, "\\$&")}"`;
}

function quoteWord(word: string): string {
  if (word === "") return "''";
  const chars = [...word];
  let quoted = "";
  let start = 0;
  while (start < chars.length) {
    // A caret is only safe directly after an opening single quote.
    const caret = chars[start] === "^";
    let possible = caret ? order.filter((quoting) => quoting === "single") : order;
    let end = caret ? start + 1 : start;
    while (end < chars.length) {
      const still = possible.filter((quoting) => allows(quoting, chars[end] as string));
      if (still.length === 0) break;
      possible = still;
      end += 1;
    }
    quoted += quoteChunk(chars.slice(start, end).join(""), possible[0] as Quoting);
    start = end;
  }
  return quoted;
}

/**
 * The words as a POSIX shell reads them back. Single quotes are preferred; characters they cannot hold safely (quote,
 * backslash, caret) switch to double quotes. `["/bin/bash", "-lc", "echo hi"]` → `/bin/bash -lc 'echo hi'`
 */
export function joinCommandWords(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

/** Newer files write folders as file URIs, older ones as paths. A malformed URI stays as it is. */
export function pathOfPlace(place: string): string {
  if (!place.startsWith("file:///")) return place;
  try {
    return decodeURIComponent(place.slice("file://".length));
  } catch {
    return place;
  }
}
