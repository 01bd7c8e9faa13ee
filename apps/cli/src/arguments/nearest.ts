/** The known name a mistyped one was probably meant to be. */

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min((next[j - 1] as number) + 1, (row[j] as number) + 1, (row[j - 1] as number) + cost);
    }
    row = next;
  }
  return row[b.length] as number;
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
