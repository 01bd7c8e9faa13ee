/**
 * What a person refers to in text: `$name`, `[$name](path)` and `[@name](plugin://…)`. Pure; whether the thing
 * exists is decided elsewhere.
 */

export type ReferenceKind = "app" | "mcp" | "plugin" | "skill" | "file";

export interface LinkedReference {
  readonly name: string;
  /** As written between the parentheses, trimmed. */
  readonly path: string;
  readonly kind: ReferenceKind;
}

export interface TextReferences {
  /** Names after a `$`, each once, in order. */
  readonly names: readonly string[];
  readonly links: readonly LinkedReference[];
}

/** What looks like a reference and is a variable of the shell. */
const VARIABLES = new Set("PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split(" "));
const NAME = /[$]([A-Za-z0-9_:-]+)/g;
const LINK = /\[([$@])([A-Za-z0-9_:-]+)\][ \t\n\r\f\v]*\(([^)]*)\)/g;
const SCHEMES = ["app", "mcp", "plugin"] as const;

export function referenceKind(path: string): ReferenceKind {
  const scheme = SCHEMES.find((known) => path.startsWith(`${known}://`));
  if (scheme) return scheme;
  const isSkill = path.startsWith("skill://") || /(^|[\\/])SKILL\.md$/.test(path);
  return isSkill ? "skill" : "file";
}

/** What stands behind `scheme://`; undefined: another scheme, or nothing. */
export function schemeTarget(path: string, scheme: (typeof SCHEMES)[number]): string | undefined {
  if (!path.startsWith(`${scheme}://`)) return undefined;
  return path.slice(scheme.length + 3) || undefined;
}

export function textReferences(text: string): TextReferences {
  const names = new Set<string>();
  const links: LinkedReference[] = [];
  const withoutLinks = text.replaceAll(LINK, (whole, mark: string, name: string, target: string) => {
    const path = target.trim();
    if (path === "" || isVariable(name)) return whole;
    const kind = referenceKind(path);
    if (mark === "@" && kind !== "plugin") return whole;
    links.push({ name, path, kind });
    return " ";
  });
  for (const [, name] of withoutLinks.matchAll(NAME)) if (!isVariable(name!)) names.add(name!);
  return { names: [...names], links };
}

function isVariable(name: string): boolean {
  return VARIABLES.has(name.toUpperCase());
}
