/** docs/protocol: every JSON example is a fixture, every link leads somewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const docs = join(import.meta.dirname, "..", "..", "..", "docs", "protocol");
const fixtures = join(import.meta.dirname, "..", "fixtures");
const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));

test("there is a page for each family", () => {
  expect(pages).toHaveLength(16);
});

test.each(pages)("%s", (page) => {
  const text = readFileSync(join(docs, page), "utf8");
  const blocks = [...text.matchAll(/(<!-- fixture: (\S+) -->\n)?```json\n([\s\S]*?)\n```/g)];
  for (const [, , fixture, json] of blocks) {
    expect({ page, json, fixture: fixture !== undefined }).toMatchObject({ fixture: true });
    const value: unknown = JSON.parse(readFileSync(join(fixtures, `${fixture}.json`), "utf8"));
    expect({ fixture, value: JSON.parse(json as string) as unknown }).toEqual({ fixture, value });
  }
  for (const [, target] of text.matchAll(/\]\(([^)]+\.md)\)/g))
    expect(existsSync(join(docs, target as string))).toBe(true);
});
