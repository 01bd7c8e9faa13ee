// @ts-check
// Holds the streams of a run against those of the reference. Each difference is one line of text:
//   <stream> missing <kind>          the reference has it here, the run has not
//   <stream> extra <kind>            the run has it, the reference has not
//   <stream> <kind> <path>: A | B    aligned, but a member differs; A is the reference
import { kindOf } from "./strip.mjs";

/** @typedef {import("../verdict.mjs").Difference} Difference */
/** @typedef {import("./strip.mjs").Streams} Streams */

const shownItems = 4;

/** @param {Streams} reference @param {Streams} run @returns {Difference[]} */
export function compareStreams(reference, run) {
  /** @type {Difference[]} */
  const differences = [];
  for (const stream of /** @type {const} */ (["wire", "model", "rollout"])) {
    const [wanted, got] = [reference[stream], run[stream]];
    const kinds = [wanted, got].map((entries) => entries.map((entry) => kindOf(stream, entry)));
    const label = (/** @type {0 | 1} */ side, /** @type {number} */ index) => shortKind(kinds[side]?.[index] ?? "");
    for (const [i, j] of align(kinds[0] ?? [], kinds[1] ?? [])) {
      if (j === undefined) differences.push({ hard: true, text: `${stream} missing ${label(0, i ?? 0)}` });
      else if (i === undefined) differences.push({ hard: true, text: `${stream} extra ${label(1, j)}` });
      else
        for (const text of memberDifferences(withNamedKeys(wanted[i]), withNamedKeys(got[j])))
          differences.push({ hard: false, text: `${stream} ${label(0, i)} ${text}` });
    }
  }
  for (const text of memberDifferences(reference.deltas, withoutLateDeltas(run, reference)))
    differences.push({ hard: false, text: `deltas ${text}` });
  return differences;
}

/**
 * A command that lives for 150 ms has deltas besides its output, a shorter one has not; which it is, the machine decides.
 * So deltas where the reference has none are no difference, as long as they are exactly the output of the item.
 * @param {Streams} run @param {Streams} reference
 */
function withoutLateDeltas({ wire, deltas }, reference) {
  const outputs = new Map(
    wire.flatMap(({ method, params }) =>
      method === "item/completed" ? [[params.item.id, abbreviated(params.item.aggregatedOutput)]] : [],
    ),
  );
  const kept = Object.entries(deltas).filter(
    ([item, text]) => Object.hasOwn(reference.deltas, item) || outputs.get(item) !== text,
  );
  return Object.fromEntries(kept);
}

/** As long deltas are written. @param {unknown} output */
function abbreviated(output) {
  const length = typeof output === "string" ? /^<long:(\d+):\w+>$/.exec(output)?.[1] : undefined;
  return length === undefined ? output : `<${length} characters>`;
}

/** A request's kind lists its whole input; the end of it is enough to find it. @param {string} kind */
function shortKind(kind) {
  const items = kind.split(",");
  return items.length <= shownItems ? kind : `(${items.length} items)…${items.slice(-shownItems).join(",")}`;
}

/** A list of keys as members, so that one more is one difference. @param {any} entry */
function withNamedKeys(entry) {
  if (!Array.isArray(entry?.keys)) return entry;
  return { ...entry, keys: Object.fromEntries(entry.keys.map((/** @type {string} */ key) => [key, "present"])) };
}

/**
 * Pairs equal entries along a longest common subsequence; an entry without a partner stands alone.
 * @param {readonly string[]} left @param {readonly string[]} right
 * @returns {[number | undefined, number | undefined][]}
 */
export function align(left, right) {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  /** @type {[number | undefined, number | undefined][]} */
  const pairs = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) pairs.push([i++, j++]);
    else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1))) pairs.push([i++, undefined]);
    else pairs.push([undefined, j++]);
  }
  return pairs;
}

/** @param {any} wanted @param {any} got @param {string} at the path so far @returns {Generator<string>} */
function* memberDifferences(wanted, got, at = "") {
  if (wanted === got) return;
  if (isObject(wanted) && isObject(got) && Array.isArray(wanted) === Array.isArray(got)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)]))
      yield* memberDifferences(wanted[key], got[key], `${at}.${key}`);
    return;
  }
  yield `${at}: ${shown(wanted)} | ${shown(got)}`;
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null;

/** @param {unknown} value */
const shown = (value) => (value === undefined ? "(absent)" : JSON.stringify(value).slice(0, 160));
