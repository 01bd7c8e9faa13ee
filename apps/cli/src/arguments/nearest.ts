/** The known name a mistyped one was probably meant to be. */

/** Insertions, deletions, replacements, and swaps of neighbours. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const [above = [], before = []] = [rows[i - 1], rows[i - 2]];
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let steps = Math.min((row[j - 1] ?? 0) + 1, (above[j] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1);
      row.push(steps);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** null when nothing is near. */
export function nearest(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const steps = distance(given, name);
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}
