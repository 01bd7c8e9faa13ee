/** Older clients name collaboration modes that behave like the default one. Pure. */

const aliases = new Set(["code", "custom", "execute", "pair_programming"]);

/** The value with an old mode name replaced; the same object where there is none. */
export function withModeAliases<Value>(params: Value): Value {
  if (typeof params !== "object" || params === null) return params;
  const mode = (params as { collaborationMode?: unknown }).collaborationMode;
  if (typeof mode !== "object" || mode === null) return params;
  const kind = (mode as { mode?: unknown }).mode;
  if (typeof kind !== "string" || !aliases.has(kind)) return params;
  return { ...params, collaborationMode: { ...mode, mode: "default" } };
}
