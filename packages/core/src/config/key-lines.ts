/** Finds the line of a key in a TOML text, for messages. A guess by the eye's rules: the last header above counts. */

const unquote = (part: string) => part.trim().replace(/^(["'])(.*)\1$/, "$2");

/** The parts of a dotted key; quoted parts may hold dots. */
export function keyPath(text: string): string[] {
  return (text.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).map(unquote);
}

/** The line where `path` is set, or of the nearest table above it; undefined: neither is there. */
export function lineOfKey(text: string, path: readonly string[]): number | undefined {
  const lines = text.split("\n");
  let table: string[] = [];
  let nearest: { readonly line: number; readonly depth: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const header = /^\s*\[{1,2}([^\]]+)\]{1,2}/.exec(line);
    if (header) table = keyPath(header[1]!);
    const assignment = header ? undefined : /^\s*((?:"[^"]*"|'[^']*'|[\w.-]|\s)+?)\s*=/.exec(line);
    const here = header ? table : assignment ? [...table, ...keyPath(assignment[1]!)] : undefined;
    if (!here?.every((part, at) => path[at] === part)) continue;
    if (here.length === path.length) return index + 1;
    if (here.length > (nearest?.depth ?? 0)) nearest = { line: index + 1, depth: here.length };
  }
  return nearest?.line;
}
