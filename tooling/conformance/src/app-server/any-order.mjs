// @ts-check
// For scenarios in which the reference does not keep one order itself, because several things run at once.
// Puts what may race into one order, so that only the order is left out of the comparison and no content:
//   replies by id; notifications of one item in their order, items by id; all other notifications by content;
//   model requests by content; lines of a session file in their order, files by what was asked in them.
// Ids that are given out in order of arrival get names made of what else is said together with them.
import { createHash } from "node:crypto";

/** @typedef {import("./strip.mjs").Streams} Streams */
/** @typedef {"replies" | "everything"} Racing replies: those may come before or after the notifications around them */

/** @type {ReadonlyMap<string, Racing>} */
export const racingScenarios = new Map([
  // One thread per case, all at once.
  ["exec-yield", "everything"],
  ["exec-yield-stdin", "everything"],
  // 67 commands of one response.
  ["exec-many-sessions", "everything"],
  // A refused request while the turn of the one before begins.
  ["turn-misc", "replies"],
]);

const idPattern = /<sess#\d+>|\b(?:msg|fc)_mock_\d+/g;

/** @param {Streams} streams @param {Racing | undefined} racing @returns {Streams} */
export function inOneOrder(streams, racing) {
  if (racing === undefined) return streams;
  if (racing === "replies") return { ...streams, wire: repliesFirst(streams.wire) };
  const { wire, model, rollout, deltas } = namedById(streams);
  return {
    wire: [
      ...repliesFirst(wire).filter(isReply).map(withSortedRows),
      ...notificationsByItem(wire.filter((entry) => !isReply(entry))),
    ],
    deltas,
    model: sortedBy(model, (request) => JSON.stringify(request.input)),
    rollout: sortedBy(sessionFiles(rollout), askedIn).flat(),
  };
}

/** @param {any} message */
const isReply = (message) => message.method === undefined;

/** @param {any[]} wire */
function repliesFirst(wire) {
  const replies = wire.filter(isReply).sort((a, b) => a.id - b.id);
  return [...replies, ...wire.filter((message) => !isReply(message))];
}

/** Rows of terminals are in the order of their ids, which are random. @param {any} reply */
function withSortedRows(reply) {
  const rows = reply.result?.data;
  if (!Array.isArray(rows)) return reply;
  return { ...reply, result: { ...reply.result, data: sortedBy(rows, (row) => JSON.stringify(row.itemId)) } };
}

/** @param {any[]} notifications */
function notificationsByItem(notifications) {
  const ofItems = notifications.filter((message) => itemOf(message) !== undefined);
  const others = notifications.filter((message) => itemOf(message) === undefined);
  // Sorting is stable: what one item went through stays in order.
  return [
    ...sortedBy(ofItems, (message) => itemOf(message) ?? ""),
    ...sortedBy(others, ({ method, params }) => `${method} ${JSON.stringify(params)}`),
  ];
}

/** An item's id, or its content where the id was left out. @param {any} message @returns {string | undefined} */
function itemOf({ params }) {
  const id = params?.item?.id ?? params?.itemId;
  return id === "<uuid>" ? JSON.stringify(params.item.content ?? params.item.text) : id;
}

/** @param {any[]} lines @returns {any[][]} */
function sessionFiles(lines) {
  /** @type {any[][]} */
  const files = [];
  for (const line of lines)
    if (line.type === "session_meta" || files.length === 0) files.push([line]);
    else files.at(-1)?.push(line);
  return files;
}

/** @param {any[]} lines of one session file */
function askedIn(lines) {
  return JSON.stringify(lines.filter(({ payload }) => payload?.type === "user_message"));
}

/**
 * Named by how their items began and by the session file, so that a difference elsewhere does not rename them.
 * Ids of which the same is said there get the same name; they could change places unnoticed.
 * @param {Streams} streams @returns {Streams}
 */
function namedById(streams) {
  /** @type {Map<string, string[]>} */
  const said = new Map();
  const started = streams.wire.filter(({ method }) => method === "item/started");
  for (const entry of [...started, ...streams.rollout]) {
    const text = JSON.stringify(entry);
    for (const id of new Set(text.match(idPattern)))
      said.set(id, [...(said.get(id) ?? []), text.replace(idPattern, (each) => (each === id ? "<it>" : "<other>"))]);
  }
  const nameOf = (/** @type {string} */ id) => {
    const what = JSON.stringify((said.get(id) ?? []).sort());
    return `${id.replace(/[#\d<>]/g, "")}:${createHash("sha1").update(what).digest("hex").slice(0, 8)}`;
  };
  const names = new Map([...said.keys()].map((id) => [id, nameOf(id)]));
  return JSON.parse(JSON.stringify(streams).replace(idPattern, (id) => names.get(id) ?? id));
}

/** @template T @param {readonly T[]} values @param {(value: T) => string} key @returns {T[]} */
function sortedBy(values, key) {
  return values
    .map((value) => ({ value, key: key(value) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ value }) => value);
}
