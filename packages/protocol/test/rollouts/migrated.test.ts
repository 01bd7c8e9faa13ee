/** Files that the newest reference migrated from legacy to paginated, against their originals. */
import { expect, test } from "vitest";
import { projectThread } from "../../src/rollout/index.js";

/** Migration does not carry the error event over which these turns failed. */
const errorDropped = ["0.104.0--as-extended.jsonl", "0.128.0--as-extended.jsonl"];

import { plainFiles, read, text } from "./corpus.js";

test("they project to the same thread as their originals", async () => {
  const pairs = plainFiles("migrated-by-0.171.0");
  expect(pairs).toHaveLength(114);
  const different: string[] = [];
  for (const pair of pairs) {
    const [version, file] = pair.split("--") as [string, string];
    const migrated = projectThread(await read(text("migrated-by-0.171.0", pair)));
    const original = projectThread(await read(text(version, file)));
    const shown = (thread: typeof migrated) => ({
      id: thread.threadId,
      preview: thread.preview,
      turns: thread.turns.map(({ status, items }) => ({ status, items: items.map((item) => item.type) })),
    });
    if (JSON.stringify(shown(migrated)) !== JSON.stringify(shown(original))) {
      different.push(pair);
    }
  }
  expect(different).toEqual(errorDropped);
});
