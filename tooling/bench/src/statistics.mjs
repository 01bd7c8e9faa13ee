// @ts-check
// What is said of a list of measurements.

/** @typedef {{ median: number, min: number, p95: number, count: number }} Summary */

/** The value below which this part of the samples lies. @param {readonly number[]} samples not empty @param {number} part 0 to 1 */
export function quantile(samples, part) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** @param {readonly number[]} samples not empty @returns {Summary} */
export function summarize(samples) {
  return {
    median: quantile(samples, 0.5),
    min: Math.min(...samples),
    p95: quantile(samples, 0.95),
    count: samples.length,
  };
}
