// @ts-check
// Errors of a parser: that a parameter or an argument is refused, and with which prefix, is compared; what the parser
// says after it is an implementation's own, as prompts are. Both sides' words become one mark. Words that neither parser
// says stay as they are, so that an error of another kind remains a difference.

const mark = "<where and why>";
const reasons =
  "missing field|invalid type|invalid length|invalid value|unknown variant|duplicate field|data did not match";
const notAMethod = "(?!unknown variant `[^`]*`, expected one of `initialize`)";
const ofReference = new RegExp(`^(Invalid request: )${notAMethod}(?:${reasons})`);
const ofOurs = /^(Invalid request: )params[ .[]/;

const argumentPrefix = "failed to parse function arguments: ";
const argumentsOfReference = new RegExp(
  `^(?:${reasons}|key must be a string|expected ident|EOF while parsing|expected value|trailing characters)`,
);
const argumentsOfOurs = new RegExp(`^(?:${reasons}|not JSON: |EOF while parsing)`);

/** @template Value @param {Value} value @returns {Value} the same with the words of parsers taken out */
export function withoutOwnWords(value) {
  return /** @type {Value} */ (without(value));
}

/** @param {any} value @returns {any} */
function without(value) {
  if (typeof value === "string") return withoutReason(value);
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, without(member)]));
}

/** @param {string} text */
function withoutReason(text) {
  const request = ofReference.exec(text) ?? ofOurs.exec(text);
  if (request) return `${request[1]}${mark}`;
  if (!text.startsWith(argumentPrefix)) return text;
  const words = text.slice(argumentPrefix.length);
  return argumentsOfReference.test(words) || argumentsOfOurs.test(words) ? `${argumentPrefix}${mark}` : text;
}
