/** The files a tool may touch, as an interface that tools own. Paths are native and absolute. */

export interface FileSystem {
  /** @throws {FileError} */
  read(path: string): Promise<Uint8Array>;
  /** Creates or replaces a file. @throws {FileError} */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file, never a folder. @throws {FileError} */
  remove(path: string): Promise<void>;
  /** Creates the folder and those above it. @throws {FileError} */
  makeFolder(path: string): Promise<void>;
  /** undefined: there is nothing at this path. @throws {FileError} */
  stat(path: string): Promise<FileStat | undefined>;
}

export interface FileStat {
  readonly kind: "file" | "folder" | "other";
  /** Bytes. */
  readonly size: number;
}

/** `message` names the cause the way the operating system does, such as `No such file or directory (os error 2)`. */
export class FileError extends Error {
  override readonly name = "FileError";
  constructor(
    message: string,
    readonly code: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
