/** The files of this machine. */
import { constants } from "node:fs";
import { mkdir, open, stat, unlink, writeFile } from "node:fs/promises";
import { FileError, type FileSystem } from "../file-system/file-system.js";
import { errorCode, osErrorText } from "../file-system/os-error-text.js";

async function wrapped<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(osErrorText(error), errorCode(error), { cause: error });
  }
}

export const nodeFileSystem: FileSystem = {
  read: (path) =>
    wrapped(async () => {
      // Without O_NONBLOCK opening a FIFO waits for a writer for ever.
      await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      if (!(await file.stat()).isFile()) throw new FileError(`path \`${path}\` is not a file`, undefined);
      return await file.readFile();
    }),
  write: (path, bytes) => wrapped(() => writeFile(path, bytes)),
  remove: (path) => wrapped(() => unlink(path)),
  makeFolder: (path) =>
    wrapped(async () => {
      await mkdir(path, { recursive: true });
    }),
  stat: (path) =>
    wrapped(async () => {
      try {
        const found = await stat(path);
        return {
          kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : "other",
          size: found.size,
        } as const;
      } catch (error) {
        if (errorCode(error) === "ENOENT") return undefined;
        throw error;
      }
    }),
};
