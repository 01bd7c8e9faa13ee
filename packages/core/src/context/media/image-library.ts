/** Loads the image library when the first image is seen. Owns nothing of what is done with it. */
import { realpath } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

type ImageLibrary = typeof import("sharp").default;

let loading: Promise<ImageLibrary> | undefined;

/** Rejects where the library does not run; the next call tries again. */
export function imageLibrary(): Promise<ImageLibrary> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<ImageLibrary> {
  try {
    return (await import("sharp")).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    // Node 20's loader leaves links in paths unresolved while the last synchronous stat was that of a pipe or a
    // socket, and then does not find what the library itself imports. Its real path does.
    const entry = await realpath(fileURLToPath(import.meta.resolve("sharp")));
    return ((await import(pathToFileURL(entry).href)) as typeof import("sharp")).default;
  }
}
