/** Finds the file that a pasted path means, also when the terminal wrote its accents or spaces in another form. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** macOS stores accents apart from their letters and puts a narrow space into the names of screenshots. */
const sameForm = (name: string): string => name.normalize("NFC").replace(/[\u00a0\u202f]/g, " ");

/** null: there is no such file. */
export function existingImage(file: string): string | null {
  if (existsSync(file)) return file;
  const folder = path.dirname(file);
  const wanted = sameForm(path.basename(file));
  try {
    const found = readdirSync(folder).find((name) => sameForm(name) === wanted);
    return found === undefined ? null : path.join(folder, found);
  } catch {
    return null;
  }
}
