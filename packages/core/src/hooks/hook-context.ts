/** Texts from hooks on their way to the model: what is too long goes to a file, and its middle is left out. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { truncateMiddle } from "@turnkit/tools";
import { freshId } from "../ids.js";

const DEFAULT_LIMIT_TOKENS = 2_500;
const BYTES_PER_TOKEN = 4;

export interface SpillOptions {
  /** Where long outputs are kept; made when needed. */
  readonly folder: string;
  /** Tokens; 0: nothing is cut; undefined: the default. */
  readonly limit: number | undefined;
}

/** The text, or its ends with the name of the file that holds all of it. */
export async function fitHookText(text: string, options: SpillOptions): Promise<string> {
  const limit = options.limit ?? DEFAULT_LIMIT_TOKENS;
  if (limit === 0 || Buffer.byteLength(text) <= limit * BYTES_PER_TOKEN) return text;
  const shortened = truncateMiddle(text, limit * BYTES_PER_TOKEN);
  const file = path.join(options.folder, `${freshId()}.txt`);
  try {
    await mkdir(options.folder, { recursive: true });
    await writeFile(file, text);
  } catch {
    // The model still gets the ends of the text.
    return shortened;
  }
  return `${shortened}\n\nFull hook output saved to: ${file}`;
}
