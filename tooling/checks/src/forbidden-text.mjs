// @ts-check
// Text that must not be in the repository: addresses of registries, paths of one machine, unfinished work, skipped tests.
import { readFileSync } from "node:fs";
import path from "node:path";
import { writtenFiles } from "./repository-files.mjs";

/** @typedef {{ what: string, pattern: RegExp, files?: RegExp }} Rule */

const code = /\.(ts|mjs|js|cjs)$/;
const tests = /\.test\.ts$/;

/** Some patterns are cut in two, so that this file does not match itself. @type {readonly Rule[]} */
const rules = [
  {
    what: "the address of a package registry",
    pattern: new RegExp(`registry\\.(npm${"js"}|yarnpkg)|npm${"js"}\\.org`),
  },
  {
    what: "a path of one machine",
    pattern: new RegExp(`/wo${"rk"}/(main|shared)|/tm${"p"}/ref\\b`),
  },
  { what: "a path outside of the repository", pattern: new RegExp(`\\.\\./sha${"red"}/`) },
  { what: "the number of an issue", pattern: /\b(issue|issues|pull request|PR) #\d+|[\w-]+\/[\w-]+#\d+/i },
  {
    what: "unfinished work",
    pattern: new RegExp(`\\b(TO${"DO"}|FIX${"ME"})\\b(?!/)|not imple${"mented"}`),
    files: code,
  },
  { what: "a skipped or singled-out test", pattern: /\b(test|it|describe)\.(skip|only|todo|fails)\b/, files: tests },
];

/** One line per find. @param {string} root */
export function checkForbiddenText(root) {
  return writtenFiles(root).flatMap((file) => {
    const applicable = rules.filter(({ files }) => files === undefined || files.test(file));
    return forbiddenText(readFileSync(path.join(root, file), "utf8"), applicable).map((find) => `${file}${find}`);
  });
}

/** @param {string} text @param {readonly Rule[]} applicable @returns {string[]} `:LINE: what: the line` */
export function forbiddenText(text, applicable = rules) {
  return text
    .split("\n")
    .flatMap((line, index) =>
      applicable
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what }) => `:${index + 1}: ${what}: ${line.trim().slice(0, 120)}`),
    );
}
