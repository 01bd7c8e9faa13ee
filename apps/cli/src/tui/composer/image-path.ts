/**
 * Recognises pasted or dropped paths of images in the spellings of common terminals: quoted, backslash-escaped,
 * file URLs, `~`, and Windows paths seen from WSL; one or several. Pure; whether the files exist is for the caller to see.
 */

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|heif|avif)$/i;

export interface PathSurroundings {
  readonly home: string;
  readonly cwd: string;
  /** true: Windows drives are mounted under /mnt. */
  readonly wsl: boolean;
}

/** true: the name of a file says that it is an image. */
export const isImageName = (path: string): boolean => IMAGE.test(path);

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** The words of a shell command line; null when a quote is not closed. In Windows paths a backslash is only itself. */
function shellWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let windows = false;
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (word === null) windows = WINDOWS.test(text.slice(at));
    at += 1;
    if (/[ \t\r\n]/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === "'" || char === '"') {
      const end = closingQuote(text, at, char);
      if (end < 0) return null;
      const inner = text.slice(at, end);
      word = (word ?? "") + (char === "'" || WINDOWS.test(inner) ? inner : inner.replace(/\\(["\\$`])/g, "$1"));
      at = end + 1;
    } else if (char === "\\" && !windows) {
      word = (word ?? "") + (text[at] ?? "\\");
      at += 1;
    } else word = (word ?? "") + char;
  }
  return word === null ? words : [...words, word];
}

function closingQuote(text: string, from: number, quote: string): number {
  const windows = WINDOWS.test(text.slice(from));
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (text[at] === "\\" && quote === '"' && !windows) at += 1;
  }
  return -1;
}

function fromUrl(url: string): string | null {
  try {
    const { hostname, pathname } = new URL(url);
    const path = decodeURIComponent(pathname);
    if (hostname !== "" && hostname !== "localhost") return `\\\\${hostname}${path.replace(/\//g, "\\")}`;
    return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
  } catch {
    return null;
  }
}

/** A Windows path as WSL mounts it; null elsewhere, and for shares of other machines. */
function fromWindows(path: string, wsl: boolean): string | null {
  if (!wsl) return null;
  const own = /^\\\\wsl(?:\$|\.localhost)\\[^\\]+\\(.*)$/i.exec(path);
  if (own) return `/${(own[1] as string).replace(/\\/g, "/")}`;
  const drive = /^([A-Za-z]):[\\/](.*)$/.exec(path);
  return drive && `/mnt/${(drive[1] as string).toLowerCase()}/${(drive[2] as string).replace(/\\/g, "/")}`;
}

/** What a word names, absolute; null when it does not look like an image. */
function imagePath(word: string, around: PathSurroundings): string | null {
  const plain = /^file:\/\//i.test(word) ? fromUrl(word) : word;
  const path = plain !== null && WINDOWS.test(plain) ? fromWindows(plain, around.wsl) : plain;
  if (path === null || !isImageName(path) || /[\0\n\r]/.test(path)) return null;
  if (path.startsWith("~/")) return around.home + path.slice(1);
  return path.startsWith("/") ? path : `${around.cwd}/${path.replace(/^(?:\.\/)+/, "")}`;
}

/**
 * What a pasted text may mean, most likely first: each entry is the absolute paths of one reading. Empty when the text
 * does not look like images.
 */
export function pastedImagePaths(pasted: string, around: PathSurroundings): readonly (readonly string[])[] {
  const text = pasted.trim();
  const readings: string[][] = [];
  const words = shellWords(text) ?? [];
  const quoted = words.map((word) => imagePath(word, around)).filter((path) => path !== null);
  if (quoted.length > 0 && quoted.length === words.length) readings.push(quoted);
  // Some terminals insert paths as they are, spaces and all, one to a line.
  const rows = text.split(/[\r\n]+/).map((row) => row.trim());
  if (rows.every((row) => /^(?:[/~\\]|[A-Za-z]:[\\/]|file:\/\/)/i.test(row))) {
    const plain = rows.map((row) => imagePath(row, around)).filter((path) => path !== null);
    if (plain.length === rows.length) readings.push(plain);
  }
  return readings;
}
