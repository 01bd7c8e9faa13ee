/**
 * The operating system's own words for an error number, in the form `No such file or directory (os error 2)`.
 * Owns the table; knows nothing of who reports the error.
 */
import { constants } from "node:os";

const TEXTS: Readonly<Record<string, string>> = {
  EPERM: "Operation not permitted",
  ENOENT: "No such file or directory",
  ESRCH: "No such process",
  EINTR: "Interrupted system call",
  EIO: "I/O error",
  ENXIO: "No such device or address",
  E2BIG: "Argument list too long",
  ENOEXEC: "Exec format error",
  EBADF: "Bad file descriptor",
  ECHILD: "No child process",
  EAGAIN: "Resource temporarily unavailable",
  ENOMEM: "Out of memory",
  EACCES: "Permission denied",
  EFAULT: "Bad address",
  EBUSY: "Resource busy",
  EEXIST: "File exists",
  EXDEV: "Cross-device link",
  ENODEV: "No such device",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  EINVAL: "Invalid argument",
  ENFILE: "Too many open files in system",
  EMFILE: "No file descriptors available",
  ENOTTY: "Not a tty",
  ETXTBSY: "Text file busy",
  EFBIG: "File too large",
  ENOSPC: "No space left on device",
  ESPIPE: "Invalid seek",
  EROFS: "Read-only file system",
  EMLINK: "Too many links",
  EPIPE: "Broken pipe",
  ENAMETOOLONG: "Filename too long",
  ENOTEMPTY: "Directory not empty",
  ELOOP: "Symbolic link loop",
  EOVERFLOW: "Value too large for data type",
  ENOTSUP: "Not supported",
  EADDRINUSE: "Address in use",
  EADDRNOTAVAIL: "Address not available",
  ECONNREFUSED: "Connection refused",
  EDQUOT: "Quota exceeded",
};

const NUMBERS = constants.errno as Readonly<Record<string, number>>;

/** `No such file or directory` for `ENOENT`; the code itself where the table has no words. */
export function errnoText(code: string): string {
  return TEXTS[code] ?? code;
}

/** `Permission denied (os error 13)`; falls back to the error's own message when it carries no code. */
export function osErrorText(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const number = code === undefined ? undefined : NUMBERS[code];
  if (code === undefined || number === undefined) return error instanceof Error ? error.message : String(error);
  return `${errnoText(code)} (os error ${number})`;
}

/** An error that carries a system code, for checks made ahead of the system call. */
export function osError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(errnoText(code)), { code });
}

/** Why a process could not be started, in words for the caller. */
export class SpawnError extends Error {
  override readonly name = "SpawnError";
}
