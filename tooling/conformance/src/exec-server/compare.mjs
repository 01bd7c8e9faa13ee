// @ts-check
// Holds a transcript against the recording. What is timing is left out: chunk cuts, sequence numbers of output, interleaving.
// Compared are replies in order, per process and stream the bytes, exit codes and endings, and the scenario's notes.

/** @typedef {import("../verdict.mjs").Difference} Difference */

/** @param {string} recording @param {string} transcript @returns {Difference[]} */
export function compareTranscripts(recording, transcript) {
  if (recording === transcript) return [];
  const [wanted, got] = [essence(recording), essence(transcript)];
  /** @type {Difference[]} */
  const differences = [];
  const note = (
    /** @type {string} */ place,
    /** @type {string | undefined} */ a,
    /** @type {string | undefined} */ b,
  ) => {
    if (a !== b) differences.push({ hard: a === undefined || b === undefined, text: `${place} A ${a} | B ${b}` });
  };
  for (const part of /** @type {const} */ (["replies", "notes", "others"]))
    for (let i = 0; i < Math.max(wanted[part].length, got[part].length); i++)
      note(`${part}[${i}]`, wanted[part][i], got[part][i]);
  for (const key of [...new Set([...wanted.processes.keys(), ...got.processes.keys()])].sort())
    note("process", wanted.processes.get(key), got.processes.get(key));
  return differences;
}

/** @typedef {{ out: Record<string, string>, exit?: number, denied?: boolean, closed?: boolean }} Process */

/** @param {string} transcript */
function essence(transcript) {
  /** @type {string[]} */
  const replies = [];
  /** @type {string[]} */
  const notes = [];
  /** @type {string[]} */
  const others = [];
  /** @type {Map<string, Process>} */
  const processes = new Map();
  const processOf = (/** @type {string} */ connection, /** @type {any} */ { processId }) => {
    const key = `${connection}/${processId}`;
    const process = processes.get(key) ?? { out: {} };
    processes.set(key, process);
    return process;
  };
  for (const line of transcript.split("\n")) {
    const [, connection = "", direction, json = ""] = /^(.*?) ([<>!#]) (.*)$/s.exec(line) ?? [];
    if (direction === "#" && !json.startsWith('{"~')) notes.push(json);
    if (direction !== "<" && direction !== "!") continue;
    const message = JSON.parse(json);
    const { method, params } = message;
    if (method === "process/output") {
      const { out } = processOf(connection, params);
      out[params.stream] = (out[params.stream] ?? "") + chunkText(params.chunk);
    } else if (method === "process/exited") {
      Object.assign(processOf(connection, params), { exit: params.exitCode, denied: params.sandboxDenied });
    } else if (method === "process/closed") processOf(connection, params).closed = true;
    else if (message._ws !== "ping")
      (message.id === undefined ? others : replies).push(`${connection} ${JSON.stringify(withoutChunks(message))}`);
  }
  const told = [...processes].map(
    ([key, process]) => /** @type {const} */ ([key, `${key} ${JSON.stringify(inOrder(process))}`]),
  );
  return { replies, notes, others, processes: new Map(told) };
}

/** Members and streams in one order, whichever came first. @param {Process} process */
function inOrder({ out, exit, denied, closed }) {
  const streams = Object.entries(out).sort(([a], [b]) => (a < b ? -1 : 1));
  return { out: Object.fromEntries(streams), exit, denied, closed };
}

/** The result of process/read with its chunks joined by stream. @param {any} message */
function withoutChunks(message) {
  if (!message.result?.chunks) return message;
  const { chunks, nextSeq: _, ...rest } = message.result;
  /** @type {Record<string, string>} */
  const by = {};
  for (const { stream, chunk } of chunks) by[stream] = (by[stream] ?? "") + chunkText(chunk);
  return { id: message.id, result: { by, ...rest } };
}

/** @param {unknown} chunk */
function chunkText(chunk) {
  return typeof chunk === "string" && chunk.startsWith("b64:") ? chunk.slice(4) : String(chunk);
}
