// @ts-check
// What became of one scenario: its differences from the reference, and which of them were expected.

/** @typedef {{ hard: boolean, text: string }} Difference hard: a message is missing or extra */
/** @typedef {"equal" | "explained" | "fields" | "DIFF" | "FAILED"} Level */
/** @typedef {{ suite: string, scenario: string, level: Level, open: Difference[], explained: number, failure?: string | undefined }} Verdict */

/**
 * @param {string} suite @param {string} scenario @param {readonly Difference[]} differences
 * @param {import("./expected-differences.mjs").ExpectedDifferences} expected
 * @param {Error | undefined} failure of the scenario itself
 * @returns {Verdict}
 */
export function judge(suite, scenario, differences, expected, failure) {
  const open = differences.filter(({ text }) => !expected.explains(scenario, text));
  const explained = differences.length - open.length;
  return { suite, scenario, level: levelOf(differences, open, failure), open, explained, failure: failure?.message };
}

/** @param {readonly Difference[]} all @param {readonly Difference[]} open @param {Error | undefined} failure @returns {Level} */
function levelOf(all, open, failure) {
  if (failure && open.length > 0) return "FAILED";
  if (all.length === 0) return failure ? "FAILED" : "equal";
  if (open.length === 0) return "explained";
  return open.some(({ hard }) => hard) ? "DIFF" : "fields";
}

/** @param {Verdict} verdict */
export function passed({ level }) {
  return level === "equal" || level === "explained";
}
