// @ts-check
// A bench's rows as a table for people and as JSON for programs.
import { cpus, release } from "node:os";
import { summarize } from "./statistics.mjs";

/**
 * @typedef {object} Row
 * @property {string} work
 * @property {string} unit
 * @property {Readonly<Record<string, readonly number[]>>} samples by variant; the first is ours
 * @property {{ of: string, most?: number, least?: number }} [bound] on ours divided by that variant
 */

/** @param {readonly Row[]} rows @returns {string} */
export function table(rows) {
  const variants = [...new Set(rows.flatMap(({ samples }) => Object.keys(samples)))];
  const head = ["work", "unit", ...variants.map((name) => `${name} (min)`), "ratio", "bound", ""];
  const body = rows.map((row) => {
    const cells = variants.map((name) => {
      const samples = row.samples[name];
      if (samples === undefined || samples.length === 0) return "";
      const { median, min, count } = summarize(samples);
      return count === 1 ? number(median) : `${number(median)} (${number(min)})`;
    });
    const verdict = judge(row);
    return [row.work, row.unit, ...cells, verdict.ratio, verdict.bound, verdict.met];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => (line[column] ?? "").length)));
  return [head, ...body]
    .map((line) =>
      line
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** One row by itself. @param {Row} row */
export function line(row) {
  const { ratio, bound, met } = judge(row);
  const medians = Object.entries(row.samples).flatMap(([name, samples]) =>
    samples.length === 0 ? [] : [`${name} ${number(summarize(samples).median)}`],
  );
  return [`${row.work}: ${medians.join(", ")} ${row.unit}`, ratio, bound, met].filter(Boolean).join(" ");
}

/** @param {string} name @param {readonly Row[]} rows */
export function asJson(name, rows) {
  return {
    bench: name,
    at: new Date().toISOString(),
    machine: { cpus: cpus().length, model: cpus()[0]?.model, system: release(), node: process.version },
    rows: rows.map(({ work, unit, samples, bound }) => ({
      work,
      unit,
      bound,
      variants: Object.fromEntries(
        Object.entries(samples)
          .filter(([, values]) => values.length > 0)
          .map(([variant, values]) => [variant, summarize(values)]),
      ),
    })),
  };
}

/** The rows whose bound is not met. @param {readonly Row[]} rows */
export function missed(rows) {
  return rows.filter((row) => judge(row).met === "MISSED");
}

/** @param {Row} row */
function judge({ samples, bound }) {
  const [ours] = Object.values(samples);
  const other = bound && samples[bound.of];
  if (!ours?.length || !other?.length || bound === undefined) return { ratio: "", bound: "", met: "" };
  const ratio = summarize(ours).median / summarize(other).median;
  const met = ratio <= (bound.most ?? Number.POSITIVE_INFINITY) && ratio >= (bound.least ?? 0);
  const text = bound.most === undefined ? `>= ${bound.least}` : `<= ${bound.most}`;
  return { ratio: `${ratio.toFixed(2)}x`, bound: text, met: met ? "ok" : "MISSED" };
}

/** Three significant digits. @param {number} value */
function number(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3);
}
