// @ts-check
// Which scenarios to run.

/** `*` stands for any text. @param {string} name @param {string} glob */
export function matchesGlob(name, glob) {
  const pattern = glob.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`, "u").test(name);
}

/** @param {readonly string[]} names @param {readonly string[]} globs @throws {Error} a glob that names nothing */
export function select(names, globs) {
  for (const glob of globs)
    if (!names.some((name) => matchesGlob(name, glob))) throw new Error(`no scenario is called ${glob}`);
  return names.filter((name) => globs.some((glob) => matchesGlob(name, glob)));
}
