// @ts-check
// Measures variants of the same work side by side: A B A B, so that what else the machine does hits both.

/**
 * @template {string} Name
 * @param {number} rounds
 * @param {Readonly<Record<Name, (round: number) => Promise<number | void> | number | void>>} variants each does the work
 *   once; a number it returns is the measurement, otherwise the milliseconds it took are
 * @param {{ warmUp?: number }} options rounds that are not counted
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function interleave(rounds, variants, { warmUp = 1 } = {}) {
  const names = /** @type {Name[]} */ (Object.keys(variants));
  const samples = /** @type {any} */ (Object.fromEntries(names.map((name) => [name, []])));
  for (let round = -warmUp; round < rounds; round++)
    for (const name of names) {
      const start = performance.now();
      const measured = await variants[name](round);
      const value = typeof measured === "number" ? measured : performance.now() - start;
      if (round >= 0) samples[name].push(value);
    }
  return samples;
}
