// @ts-check
// Every dependency has its reason in docs/dependencies.md and a package that uses it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { repositoryFiles } from "./repository-files.mjs";

/** Names in the first column of the tables, with their reasons. @param {string} document */
function explainedIn(document) {
  const rows = document.split("\n").flatMap((line) => {
    const cells = /^\| (.+) \| (.+) \| (.*) \|$/.exec(line);
    return cells === null || cells[1] === "package" ? [] : [{ name: cells[1] ?? "", reason: (cells[3] ?? "").trim() }];
  });
  return new Map(rows.map(({ name, reason }) => [name, reason]));
}

/**
 * One line per difference between the catalog, the document and what packages ask for.
 * @param {{ workspace: string, document: string, manifests: readonly string[] }} texts
 */
export function dependencyFaults({ workspace, document, manifests }) {
  const catalog = Object.keys(parse(workspace).catalog);
  const explained = explainedIn(document);
  const used = new Set(
    manifests.flatMap((text) => {
      const { dependencies, devDependencies, peerDependencies, optionalDependencies } = JSON.parse(text);
      return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies });
    }),
  );
  return [
    ...catalog.filter((name) => !explained.get(name)).map((name) => `${name} has no reason in docs/dependencies.md`),
    ...catalog.filter((name) => !used.has(name)).map((name) => `${name} is in the catalog and no package uses it`),
    ...[...explained.keys()]
      .filter((name) => !catalog.includes(name))
      .map((name) => `${name} is in docs/dependencies.md and not in the catalog`),
  ];
}

/** @param {string} root */
export function checkDependencyList(root) {
  const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), "utf8");
  return dependencyFaults({
    workspace: read("pnpm-workspace.yaml"),
    document: read("docs/dependencies.md"),
    manifests: repositoryFiles(root)
      .filter((file) => /^((packages|apps|tooling)\/[^/]+\/)?package\.json$/.test(file))
      .map(read),
  });
}
