/** The list of threads is right whatever has become of its index. */
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { start } from "../../test/session-rig.js";
import { FileThreadStore } from "./file-thread-store.js";
import { ThreadFiles } from "./thread-files.js";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "turnkit-index-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const index = () => path.join(home, "thread-index.json");

async function thread(words: string): Promise<{ id: string; file: string }> {
  const { session, say, next } = await start([], { store: new FileThreadStore(home) });
  await say(words);
  await next("task_complete");
  await session.shutdown();
  return { id: session.threadId, file: session.snapshot().rolloutPath! };
}

async function listed(): Promise<string[]> {
  const found = await new ThreadFiles(home).list({ archived: false });
  return found.map(({ preview }) => preview).sort();
}

test("it is made by the first list, and used by the next", async () => {
  const { file } = await thread("one");
  expect(await listed()).toEqual(["one"]);
  const stored = JSON.parse(await readFile(index(), "utf8"));
  expect(Object.keys(stored.entries)).toEqual([file]);
  stored.entries[file].facts.preview = "from the index";
  await writeFile(index(), JSON.stringify(stored));
  expect(await listed()).toEqual(["from the index"]);
});

test.each([
  ["is lost", () => rm(index())],
  ["is half written", () => writeFile(index(), '{"version":1,"entr')],
  ["is of another version", () => writeFile(index(), '{"version":99,"entries":{"x":1}}')],
  ["holds nonsense", () => writeFile(index(), '{"version":1,"entries":{"x":{"size":"?"},"y":null}}')],
  ["is a list", () => writeFile(index(), "[]")],
])("one that %s is made anew", async (_, damage) => {
  const { file } = await thread("one");
  await thread("two");
  await listed();
  await damage();
  expect(await listed()).toEqual(["one", "two"]);
  expect(Object.keys(JSON.parse(await readFile(index(), "utf8")).entries)).toContain(file);
});

test("a file that has changed is read again, one that is gone is forgotten, a new one is found", async () => {
  const gone = await thread("gone");
  const changed = await thread("one");
  await listed();
  await rm(gone.file);
  const text = await readFile(changed.file, "utf8");
  await writeFile(changed.file, text.slice(0, -200).replaceAll('"one"', '"1"'));
  await thread("new");
  expect(await listed()).toEqual(["1", "new"]);
  const entries = JSON.parse(await readFile(index(), "utf8")).entries;
  expect(Object.keys(entries)).not.toContain(gone.file);
});

test("a file that grows is listed by its newest change", async () => {
  const { id, file } = await thread("one");
  const files = new ThreadFiles(home);
  const before = (await files.find(id))!.updatedAtMs;
  await appendFile(file, "{}\n");
  await utimes(file, new Date(), new Date(before + 5_000));
  expect((await files.find(id))!.updatedAtMs).toBe(Math.floor((await stat(file)).mtimeMs));
  expect((await files.find(id))!.preview).toBe("one");
});

test("an index that cannot be written costs nothing but time", async () => {
  await thread("one");
  await rm(index(), { force: true });
  // A folder in its place.
  await mkdir(index());
  expect(await listed()).toEqual(["one"]);
  expect(await listed()).toEqual(["one"]);
});
