/**
 * The words of a script that is one simple command: nothing is expanded, redirected, joined or run beside it. Only such
 * scripts can be compared with a rule by their words.
 */

const BARE = /[\w@%+:,./^=-]/;
const CLOSED = { "'": /[^']/, '"': /[^"$`\\!]/ } as const;

/** null: the script is more than one simple command, or its words depend on the shell. */
export function plainWords(script: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | undefined;
  let quote: "'" | '"' | undefined;
  for (const char of script.trim()) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (CLOSED[quote].test(char)) word = (word ?? "") + char;
      else return null;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (BARE.test(char)) word = (word ?? "") + char;
    else return null;
  }
  if (quote !== undefined) return null;
  if (word !== undefined) words.push(word);
  // An assignment before the command changes what the command means.
  return words.length === 0 || words[0]?.includes("=") ? null : words;
}
