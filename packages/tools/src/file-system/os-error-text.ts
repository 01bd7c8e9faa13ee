/** The operating system's own words for a failure, with its number, as the model and the user read them. */

const TEXTS: Readonly<Record<string, string>> = {
  EPERM: "Operation not permitted (os error 1)",
  ENOENT: "No such file or directory (os error 2)",
  EIO: "Input/output error (os error 5)",
  ENXIO: "No such device or address (os error 6)",
  EAGAIN: "Resource temporarily unavailable (os error 11)",
  EACCES: "Permission denied (os error 13)",
  EBUSY: "Device or resource busy (os error 16)",
  EEXIST: "File exists (os error 17)",
  EXDEV: "Invalid cross-device link (os error 18)",
  ENODEV: "No such device (os error 19)",
  ENOTDIR: "Not a directory (os error 20)",
  EISDIR: "Is a directory (os error 21)",
  EINVAL: "Invalid argument (os error 22)",
  EMFILE: "Too many open files (os error 24)",
  EFBIG: "File too large (os error 27)",
  ENOSPC: "No space left on device (os error 28)",
  EROFS: "Read-only file system (os error 30)",
  ENAMETOOLONG: "File name too long (os error 36)",
  ENOTEMPTY: "Directory not empty (os error 39)",
  ELOOP: "Too many levels of symbolic links (os error 40)",
};

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

export function osErrorText(error: unknown): string {
  const code = errorCode(error);
  const known = code === undefined ? undefined : TEXTS[code];
  return known ?? (error instanceof Error ? error.message : String(error));
}
