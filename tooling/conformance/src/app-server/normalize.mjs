// @ts-check
// Replaces what differs from run to run (ids, times, paths, ports) by placeholders.
// Ids are numbered in order of first appearance, so that equal ids stay equal.

const numberKeys = new Set([
  "startedAt",
  "completedAt",
  "createdAt",
  "updatedAt",
  "recencyAt",
  "durationMs",
  "startedAtMs",
  "completedAtMs",
  "emittedAtMs",
  "started_at",
  "completed_at",
  "duration_ms",
  "time_to_first_token_ms",
  "started_at_ms",
  "completed_at_ms",
  "wall_time_seconds",
  "create_time",
  "occurred_at_ms",
  "secs",
  "nanos",
]);

/** Session ids that scenarios made up themselves stay as they are. @param {string} digits */
const isGivenSession = (digits) => digits.length > 3 && digits !== "999999";

/** @param {{ home: string, cwd: string, host: string }} places */
export function normalizer({ home, cwd, host }) {
  /** @type {Map<string, string>} */
  const tags = new Map();
  /** @type {Record<string, number>} */
  const counts = {};
  const tag = (/** @type {string} */ kind, /** @type {string} */ value) => {
    const key = `${kind}:${value}`;
    let placeholder = tags.get(key);
    if (placeholder === undefined) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      placeholder = `<${kind}#${counts[kind]}>`;
      tags.set(key, placeholder);
    }
    return placeholder;
  };
  const session = (/** @type {string} */ digits) => (isGivenSession(digits) ? tag("sess", digits) : digits);

  const text = (/** @type {string} */ value) =>
    value
      .replaceAll(home, "<CODEX_HOME>")
      .replaceAll(cwd, "<CWD>")
      .replaceAll(host, "127.0.0.1:<PORT>")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => tag("uuid", id))
      .replace(/\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "<ts>")
      .replace(/sessions\/\d{4}\/\d\d\/\d\d/g, "sessions/<date>")
      .replace(/<current_date>[^<]*/g, "<current_date><date>")
      .replace(/(\\?)"turn_started_at_unix_ms\\?":\d+/g, '$1"turn_started_at_unix_ms$1":<num>')
      .replace(/\/dev\/pts\/\d+/g, "/dev/pts/<n>")
      .replace(/Chunk ID: [0-9a-f]+/g, "Chunk ID: <chunk>")
      .replace(/Wall time: [0-9.]+ seconds/g, "Wall time: <n> seconds")
      .replace(/Duration: [0-9.]+ seconds/g, "Duration: <n> seconds")
      .replace(/aborted by user after [0-9.]+s/g, "aborted by user after <n>s")
      .replace(/session ID (\d+)/g, (_, digits) => `session ID ${tag("sess", digits)}`)
      .replace(/Unknown process id (-?\d+)/g, (_, digits) => `Unknown process id ${session(digits)}`)
      .replace(/("session_id":\s*)(\d+)/g, (_, prefix, digits) => `${prefix}${session(digits)}`);

  /** @param {any} value @param {string | null} key @returns {any} */
  const walk = (value, key) => {
    if (typeof value === "string") {
      if ((key === "processId" || key === "process_id") && /^\d+$/.test(value)) return tag("sess", value);
      if (key === "current_date") return "<date>";
      return text(key === "output" ? sortedAnswers(value) : value);
    }
    if (typeof value === "number") return key !== null && numberKeys.has(key) ? "<num>" : value;
    if (Array.isArray(value)) return value.map((entry) => walk(entry, key));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    if (key === "client_metadata") entries.sort(byKey);
    return Object.fromEntries(entries.map(([name, entry]) => [text(name), walk(entry, name)]));
  };
  return (/** @type {any} */ value) => walk(value, null);
}

/** @param {[string, unknown]} a @param {[string, unknown]} b */
const byKey = ([a], [b]) => (a < b ? -1 : 1);

/** The reference answers from a hash map: the order of ids differs from run to run. @param {string} output */
function sortedAnswers(output) {
  if (!output.startsWith('{"answers":{')) return output;
  try {
    const { answers } = JSON.parse(output);
    return JSON.stringify({ answers: Object.fromEntries(Object.entries(answers).sort(byKey)) });
  } catch {
    return output;
  }
}
