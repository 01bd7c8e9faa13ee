/**
 * Recognises a pasted or dropped path of an image in the spellings of common terminals: quoted, backslash-escaped,
 * file URLs, `~`, and Windows paths seen from WSL. Pure; whether the file exists is for the caller to see.
 */

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;

/** true: the name of a file says that it is an image. */
export const isImageName = (path: string): boolean => IMAGE.test(path);

export interface PathSurroundings {
  readonly home: string;
  readonly cwd: string;
  /** true: Windows drives are mounted under /mnt. */
  readonly wsl: boolean;
}

function unquoted(text: string): string {
  const quoted = /^'((?:[^']|'\\'')*)'$/.exec(text);
  if (quoted) return (quoted[1] as string).replace(/'\\''/g, "'");
  const double = /^"([^"]*)"$/.exec(text);
  if (double) return double[1] as string;
  return /^[A-Za-z]:\\|^\\\\/.test(text) ? text : text.replace(/\\(.)/g, "$1");
}

/** The path a pasted text names, absolute; null when it does not look like one image. */
export function pastedImagePath(pasted: string, around: PathSurroundings): string | null {
  const text = pasted.trim();
  if (text === "" || text.includes("\n")) return null;
  let path = unquoted(text);
  if (/^file:\/\//i.test(path)) {
    try {
      path = decodeURIComponent(new URL(path).pathname);
    } catch {
      return null;
    }
  }
  const drive = /^([A-Za-z]):[\\/](.*)$/.exec(path);
  if (drive) {
    if (!around.wsl) return null;
    path = `/mnt/${(drive[1] as string).toLowerCase()}/${(drive[2] as string).replace(/\\/g, "/")}`;
  }
  if (!isImageName(path)) return null;
  if (path === "~" || path.startsWith("~/")) return around.home + path.slice(1);
  if (path.startsWith("/")) return path;
  return text.includes(" ") && path === text ? null : `${around.cwd}/${path.replace(/^\.\//, "")}`;
}
