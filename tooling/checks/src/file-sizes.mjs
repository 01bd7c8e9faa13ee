// @ts-check
// No source file may be longer than a person reads in one go.
import { readFileSync } from "node:fs";
import path from "node:path";
import { writtenFiles } from "./repository-files.mjs";

export const longestFile = 500;

/** One line per file that is too long. @param {string} root */
export function checkFileSizes(root) {
  return writtenFiles(root)
    .filter((file) => /\.(ts|mjs|js|cjs|sh)$|\/run$/.test(file))
    .map((file) => ({ file, lines: readFileSync(path.join(root, file), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > longestFile)
    .map(({ file, lines }) => `${file} has ${lines} lines; ${longestFile} is the limit`);
}
