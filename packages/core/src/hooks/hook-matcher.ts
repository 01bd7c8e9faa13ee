/** Which handlers an occasion concerns. Pure. */

const NAMES_ONLY = /^[A-Za-z0-9_|]*$/;

/** Other names under which tools are known to hooks that were written for other programs. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  apply_patch: ["Write", "Edit"],
  spawn_agent: ["Agent"],
};

export type HookMatcher = (subject: string) => boolean;

/** undefined: the pattern is not a regular expression. */
export function compileMatcher(matcher: string | undefined): HookMatcher | undefined {
  if (matcher === undefined || matcher === "" || matcher === "*") return () => true;
  if (NAMES_ONLY.test(matcher)) {
    const names = new Set(matcher.split("|"));
    return (subject) => namesOf(subject).some((name) => names.has(name));
  }
  try {
    const pattern = new RegExp(matcher, "u");
    return (subject) => namesOf(subject).some((name) => pattern.test(name));
  } catch {
    return undefined;
  }
}

function namesOf(subject: string): readonly string[] {
  return [subject, ...(ALIASES[subject] ?? [])];
}
