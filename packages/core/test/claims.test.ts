/** docs/claims.md names tests; they are there. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");

test("every test that is named as proof exists", () => {
  const claims = readFileSync(path.join(root, "docs/claims.md"), "utf8");
  const named = [...claims.matchAll(/`([\w./-]+\.test\.ts)` › (.+?)(?=; `| \||; the key: )/g)];
  expect(named.length).toBeGreaterThan(100);
  const missing = named.flatMap(([, file = "", title = ""]) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const quoted = [JSON.stringify(title).slice(1, -1), title];
    return quoted.some((form) => text.includes(form)) ? [] : [`${file} › ${title}`];
  });
  expect(missing).toEqual([]);
});
