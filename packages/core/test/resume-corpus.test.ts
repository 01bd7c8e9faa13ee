/**
 * Session files of every released version are gone on with: a real session over a copy of each, one turn, and the
 * request the model gets. What the reference sends for the same file is known for those that it can resume.
 */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ResponseItem } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle, plainFiles, resumed, versions } from "../../protocol/test/rollouts/corpus.js";
import { FileThreadStore, readThread } from "../src/rollout/index.js";
import { say } from "../src/testing/index.js";
import { start } from "./session-rig.js";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "turnkit-corpus-"));
});
afterAll(() => removeFolder(home));

const known = new Map(resumed.filter((row) => row.resume === "ok").map((row) => [`${row.from}/${row.file}`, row]));

function kind(item: ResponseItem): string {
  if (item.type === "message" || item.type === "additional_tools") return `${item.type}:${item.role}`;
  return item.type;
}

const BEFORE = /^(message:developer|additional_tools:developer|configuration_update)$/;
const AFTER = /^(message:developer|message:user|additional_tools:developer|configuration_update)$/;

/** The reference puts developer items of its own before a history, and context and the new message behind it. */
function isInside(own: readonly string[], theirs: readonly string[]): boolean {
  for (let first = 0; first + own.length <= theirs.length; first++) {
    const end = first + own.length;
    if (own.every((one, at) => theirs[first + at] === one) && theirs.slice(end).every((one) => AFTER.test(one)))
      return true;
    if (!BEFORE.test(theirs[first] as string)) return false;
  }
  return false;
}

describe.each(versions)("%s", (version) => {
  test("every file is gone on with", { timeout: 120_000 }, async () => {
    const files = plainFiles(version);
    const copy = (file: string) => path.join(home, `${version}-${file.replaceAll("/", "-")}`);
    for (const file of files) await writeFile(copy(file), bundle(version)[file] as string);
    const idOf = (file: string) => /"id":"([^"]+)"/.exec(bundle(version)[file]?.split("\n", 1)[0] ?? "")?.[1];
    const findFiles = async (id: string) => files.filter((file) => idOf(file) === id).map(copy);
    for (const file of files) {
      const stored = await readThread(copy(file), { findFiles });
      const before = await readFile(copy(file), "utf8");
      const {
        session,
        model,
        say: submit,
        next,
      } = await start([say("gone on")], {
        store: new FileThreadStore(home),
        history: stored.history,
        ...(stored.meta === null ? {} : { threadId: stored.meta.id }),
      });
      await submit("words of today");
      const done = await next("task_complete");
      expect([file, done.last_agent_message]).toEqual([file, "gone on"]);
      await session.shutdown();
      const sent = model.requests[0]!.input;
      const history = sent.slice(0, stored.history.items.length).map(kind);
      expect([file, history]).toEqual([file, stored.history.items.map(kind)]);
      const added = sent.slice(history.length);
      expect([file, added.map(kind).filter((one) => !AFTER.test(one))]).toEqual([file, []]);
      expect(JSON.stringify(added.at(-1))).toContain("words of today");
      const row = known.get(`${version}/${file}`);
      const theirs = row?.input.map((entry) => entry.split(" ")[0] as string);
      if (theirs) expect({ file, history, theirs, inside: isInside(history, theirs) }).toMatchObject({ inside: true });
      // What was there stays, byte for byte, and what is new can be read again.
      const after = await readFile(copy(file), "utf8");
      expect(after.startsWith(before)).toBe(true);
      const again = await readThread(copy(file), { findFiles });
      expect([file, again.losses.length - stored.losses.length]).toEqual([file, 0]);
      expect(JSON.stringify(again.history.items)).toContain("words of today");
    }
  });
});

test("the corpus is whole", () => {
  expect(versions.flatMap(plainFiles).length).toBe(646);
  expect(known.size).toBe(250);
});
