/** Finds a run of lines in a file, exactly at first and then ever more leniently about blanks and typography. */

const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201B]/g, "'"],
  [/[\u201C-\u201F]/g, '"'],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " "],
];

const COMPARISONS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => PLAIN.reduce((text, [from, to]) => text.replace(from, to), line.trim()),
];

/**
 * @param from index of the first line that may match
 * @param atEnd the run has to be looked for from the end of the file
 * @returns the index of the first line of the run
 */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  atEnd: boolean,
): number | undefined {
  if (wanted.length === 0) return from;
  const last = lines.length - wanted.length;
  const first = atEnd && last >= 0 ? last : from;
  for (const simplify of COMPARISONS) {
    const simplified = wanted.map(simplify);
    for (let at = first; at <= last; at++)
      if (simplified.every((line, offset) => simplify(lines[at + offset]!) === line)) return at;
  }
  return undefined;
}
