/** The version of this program, put in at build time; read from package.json when the sources run as they are. */
import { createRequire } from "node:module";

declare const TURNKIT_VERSION: string | undefined;

export const VERSION: string =
  typeof TURNKIT_VERSION === "string"
    ? TURNKIT_VERSION
    : (createRequire(import.meta.url)("../package.json") as { version: string }).version;
