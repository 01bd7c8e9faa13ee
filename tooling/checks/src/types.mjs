// @ts-check
// Compiles all packages as one program: what they share is read once. Only what changed is compiled again.
import path from "node:path";
import { runProgram } from "./program.mjs";
import { repositoryFiles } from "./repository-files.mjs";

/** One line per error, and per source file that is in no program. @param {string} root */
export async function checkTypes(root) {
  const args = ["--project", "tooling/tsconfig/every.json", "--pretty", "false", "--checkers", "2", "--listFiles"];
  const { ok, lines } = await runProgram(root, "tsc", args);
  const seen = new Set(lines.filter((line) => path.isAbsolute(line)).map((line) => path.relative(root, line)));
  if (!ok) return lines.filter((line) => !path.isAbsolute(line));
  return repositoryFiles(root)
    .filter((file) => /\.tsx?$/.test(file) && !seen.has(file))
    .map((file) => `${file} is not among the files of tooling/tsconfig/every.json`);
}
