/** The known word that a misspelt one is nearest to. */

/** undefined: none is near enough to be meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.min(3, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const changes = distance(word, candidate);
    if (changes < least) [best, least] = [candidate, changes];
  }
  return best;
}

/** Letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + Number(letter !== b[j])));
    row = next;
  }
  return row[b.length]!;
}
