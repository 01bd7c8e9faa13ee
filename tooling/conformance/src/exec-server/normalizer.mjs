// @ts-check
// Replaces what differs from run to run (ids, ports, paths, times) by placeholders, and turns a record into lines.
// Chunks are shown decoded.

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const base64Keys = new Set(["chunk", "dataBase64", "bodyBase64", "deltaBase64"]);
const timeKeys = new Set(["createdAtMs", "modifiedAtMs"]);
/** Output that is only numbers is process ids. */
const onlyNumbers = /^\d{3,7}([ \r\n]+\d{3,7})*\s*$/;
const longestChunk = 6000;

export class Normalizer {
  /** @type {Map<string, string>} */
  #uuids = new Map();
  /** @type {readonly (readonly [string, string])[]} */
  #places;

  /** @param {readonly (readonly [string, string])[]} places paths and their placeholders */
  constructor(places) {
    this.#places = places;
  }

  /** @param {string} value */
  text(value) {
    let text = value;
    for (const [place, placeholder] of this.#places) text = text.replaceAll(place, placeholder);
    return text
      .replace(uuid, (id) => this.#uuid(id))
      .replace(/127\.0\.0\.1:\d{4,5}/g, "127.0.0.1:<PORT>")
      .replace(/example\.test:\d{4,5}/g, "example.test:<PORT>")
      .replace(/"port":\d{4,5}/g, '"port":<PORT>')
      .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, "<DATE>")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, "<TS>")
      .replace(/after \d+ milliseconds/g, "after <N> milliseconds");
  }

  /** @param {any} value @param {string} [key] @returns {any} */
  value(value, key = "") {
    if (typeof value === "string") return base64Keys.has(key) ? this.#chunk(value) : this.text(value);
    if (typeof value === "number") {
      if (key === "port" && value > 1024) return "<PORT>";
      return timeKeys.has(key) && value > 0 ? "<MS>" : value;
    }
    if (Array.isArray(value)) return value.map((entry) => this.value(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, this.value(entry, name)]));
  }

  /** @param {readonly import("./connection.mjs").Entry[]} entries */
  lines(entries) {
    return entries.map(
      ({ connection, direction, message }) => `${connection} ${direction} ${JSON.stringify(this.value(message))}`,
    );
  }

  /** @param {string} id */
  #uuid(id) {
    const placeholder = this.#uuids.get(id) ?? `<UUID${this.#uuids.size + 1}>`;
    this.#uuids.set(id, placeholder);
    return placeholder;
  }

  /** @param {string} base64 */
  #chunk(base64) {
    const text = Buffer.from(base64, "base64").toString("latin1");
    const shown = onlyNumbers.test(text) ? text.replace(/\d+/g, "<N>") : text;
    return `b64:${this.text(shown.length > longestChunk ? `${shown.slice(0, 60)}…(${shown.length} bytes)` : shown)}`;
  }
}
