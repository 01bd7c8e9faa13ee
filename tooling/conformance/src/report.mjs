// @ts-check
// Prints verdicts.
import { passed } from "./verdict.mjs";

const shownDifferences = 5;

/** @param {import("./verdict.mjs").Verdict} verdict @param {boolean} verbose */
export function printVerdict({ suite, scenario, level, open, explained, failure }, verbose) {
  const counts = [open.length > 0 && `${open.length} unexplained`, explained > 0 && `${explained} explained`];
  const note = counts.filter(Boolean).join(", ");
  print(`${level.padEnd(9)} ${suite} ${scenario}${note === "" ? "" : `  (${note})`}`);
  if (failure !== undefined) print(`          ${failure}`);
  const shown = verbose ? open : [...open].sort((a, b) => Number(b.hard) - Number(a.hard)).slice(0, shownDifferences);
  for (const { text } of shown) print(`          ${text.replaceAll("\n", "\\n")}`);
}

/**
 * @param {readonly import("./verdict.mjs").Verdict[]} verdicts
 * @param {readonly import("./expected-differences.mjs").Entry[]} unused
 * @returns {number} how many failed
 */
export function printSummary(verdicts, unused) {
  for (const { scenario, match } of unused)
    print(`UNUSED    expected difference of ${[scenario].flat().join(", ")}: ${match}`);
  const levels = ["equal", "explained", "fields", "DIFF", "FAILED"];
  const counts = levels.map((level) => `${verdicts.filter((verdict) => verdict.level === level).length} ${level}`);
  print(`${counts.join(", ")} of ${verdicts.length}`);
  const good = verdicts.filter(passed).length;
  const failed = verdicts.length - good + unused.length;
  print(`${good} passed, ${failed} failed`);
  return failed;
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}
