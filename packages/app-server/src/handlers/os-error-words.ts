/** What the operating system says of a failure, as clients read it: `No such file or directory (os error 2)`. */
import { getSystemErrorMap } from "node:util";

/** Where Node says it in words of its own. */
const OWN: Readonly<Record<string, string>> = {
  EEXIST: "File exists",
  EISDIR: "Is a directory",
  EIO: "Input/output error",
  EXDEV: "Invalid cross-device link",
};

export function osErrorWords(error: unknown): string {
  const { errno, message } = error as { readonly errno?: unknown; readonly message?: unknown };
  const known = typeof errno === "number" ? getSystemErrorMap().get(errno) : undefined;
  if (known === undefined) return typeof message === "string" ? message : String(error);
  const [code, text] = known;
  return `${OWN[code] ?? text.charAt(0).toUpperCase() + text.slice(1)} (os error ${-(errno as number)})`;
}
