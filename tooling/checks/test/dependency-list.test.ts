import { expect, test } from "vitest";
import { dependencyFaults } from "../src/dependency-list.mjs";

const head = "| package | used by | reason |\n|---|---|---|\n";
const workspace = 'packages: []\ncatalog:\n  "@a/b": 1.0.0\n  c: 2.0.0\n';
const manifests = ['{ "dependencies": { "@a/b": "catalog:" } }', '{ "devDependencies": { "c": "catalog:" } }'];

test("the catalog, its explanation and its use agree", () => {
  const document = `${head}| @a/b | x | because |\n\n${head}| c | y | also |\n`;
  expect(dependencyFaults({ workspace, document, manifests })).toEqual([]);
});

test("each difference has a line", () => {
  const document = `${head}| c | y |  |\n| gone | y | once |\n`;
  expect(dependencyFaults({ workspace, document, manifests: manifests.slice(0, 1) })).toEqual([
    "@a/b has no reason in docs/dependencies.md",
    "c has no reason in docs/dependencies.md",
    "c is in the catalog and no package uses it",
    "gone is in docs/dependencies.md and not in the catalog",
  ]);
});
