/** A command's words as one line a shell would read back, and places as paths. */

/** Quotes each word that a POSIX shell would not take as it is. */
export function joinCommandWords(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  if (word === "") return "''";
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return word.includes("'") ? `"${word.replace(/["\\$`!]/g, "\\$&")}"` : `'${word}'`;
}

/** Newer files write folders as file URIs, older ones as paths. A malformed URI stays as it is. */
export function pathOfPlace(place: string): string {
  if (!place.startsWith("file:///")) return place;
  try {
    return decodeURIComponent(place.slice("file://".length));
  } catch {
    return place;
  }
}
