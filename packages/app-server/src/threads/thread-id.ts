/** Says in the protocol's words what is wrong with a thread id. Pure. */

/** null: a UUID, with or without hyphens, braces or the `urn:uuid:` prefix. */
export function uuidProblem(text: string): string | null {
  const bare = text.replace(/^urn:uuid:/, "").replace(/^\{(.*)\}$/, "$1");
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(bare) || /^[0-9a-f]{32}$/i.test(bare)) return null;
  const chars = [...text];
  const wrong = chars.findIndex((char) => !/^[0-9a-f-]$/i.test(char));
  if (wrong >= 0) {
    return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${chars[wrong]}\` at ${wrong + 1}`;
  }
  const groups = text.split("-");
  if (groups.length === 1) return `invalid length: expected length 32 for simple format, found ${chars.length}`;
  if (groups.length !== 5) return `invalid group count: expected 5, found ${groups.length}`;
  const lengths = [8, 4, 4, 4, 12];
  const group = groups.findIndex((part, index) => part.length !== lengths[index]);
  return `invalid group length in group ${group}: expected ${lengths[group]}, found ${groups[group]?.length ?? 0}`;
}
