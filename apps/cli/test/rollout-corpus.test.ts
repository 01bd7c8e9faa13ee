/**
 * `turnkit rollout inspect --json` over every session file of the corpus, under the names that the programs gave them:
 * what it prints is what the library says, and what the newest reference made of the same file.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectThread, type RolloutInspection, rebuildModelInput, resolveHistory } from "@turnkit/protocol/rollout";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { decompress } from "fzstd";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  ancestorsOf,
  bundle,
  originalName,
  plainFiles,
  read,
  resumed,
  text,
  versions,
} from "../../../packages/protocol/test/rollouts/corpus.js";
import type { CommandRun } from "../src/arguments/command-spec.js";
import { convert, inspect, validate } from "../src/commands/rollout/index.js";
import { ROOT } from "../src/commands/table.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "turnkit-corpus-"));
});
afterAll(async () => {
  await removeFolder(folder);
});

/** All files of a version in one folder; the path of each by its name in the corpus. */
function unpacked(version: string): Map<string, string> {
  const into = path.join(folder, version);
  mkdirSync(into, { recursive: true });
  const paths = new Map<string, string>();
  for (const [file, content] of Object.entries(bundle(version))) {
    const name = path.join(into, originalName(version, file));
    writeFileSync(name, file.endsWith(".zst") ? Buffer.from(content, "base64") : content);
    paths.set(file, name);
  }
  return paths;
}

/** The command's exit code and the objects it prints. */
async function printed(command: CommandRun, files: readonly string[], output?: string) {
  let out = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    out += String(chunk);
    return true;
  });
  try {
    const values = new Map(output === undefined ? [] : [["output", [output]]]);
    const parsed = { positionals: files, values, switches: new Set(["json"]), raw: [] };
    const code = await command(parsed, ROOT);
    return {
      code,
      objects: out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  } finally {
    write.mockRestore();
  }
}

const kinds = (turns: readonly { status: string; items: readonly { type: string }[] }[]) =>
  turns.map(({ status, items }) => ({ status, items: items.map((item) => item.type) }));

/** The reference's rows with fewer items than are in the file; the library's own test says why. */
const shownLess = new Map<string, number>();

describe.each(versions)("the files of %s", (version) => {
  it("are inspected as the library reads them and as the reference shows them", async () => {
    const paths = unpacked(version);
    const files = plainFiles(version);
    const { code, objects } = await printed(
      inspect,
      files.map((file) => paths.get(file) as string),
    );
    expect({ code, objects: objects.length }).toEqual({ code: 0, objects: files.length });
    for (const [index, file] of files.entries()) {
      const shown = objects[index] as unknown as RolloutInspection;
      const records = await read(text(version, file));
      const { inherited } = await resolveHistory(records, ancestorsOf(version, file));
      const thread = projectThread(records, { inherited });
      const input = rebuildModelInput(records, { inherited });
      expect({ ...shown, turns: kinds(shown.turns) }).toEqual({
        file: paths.get(file),
        era: thread.era,
        cliVersion: thread.cliVersion,
        threadId: thread.threadId,
        source: thread.source,
        historyMode: thread.historyMode,
        turns: kinds(thread.turns),
        modelInput: input.map((item) => ({
          type: item.type,
          ...("role" in item ? { role: item.role } : {}),
          ...("name" in item ? { name: item.name } : {}),
        })),
        losses: [],
        missingHistory: [],
      });
      const row = resumed.find(({ from, file: of, resume }) => from === version && of === file && resume === "ok");
      if (!row) continue;
      if (
        JSON.stringify(kinds(shown.turns)) !== JSON.stringify(row.turns.map(({ status, items }) => ({ status, items })))
      )
        shownLess.set(version, (shownLess.get(version) ?? 0) + 1);
      const theirs = row.input.map((entry) => entry.split(/[ :]/)[0]);
      const ours = shown.modelInput.map(({ type }) => type);
      // Around the session's own items the reference sends its context and the new message.
      expect({ file, ours, inside: theirs.join(",").includes(ours.join(",")) }).toMatchObject({ inside: true });
    }
  });
});

it.each(["0.8.0", "0.98.0", "0.171.0"])(
  "the files of %s validate, packed ones too, and are converted into one folder",
  async (version) => {
    const paths = unpacked(version);
    const checked = await printed(validate, [...paths.values()]);
    expect(checked.code).toBe(0);
    expect(checked.objects.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(checked.objects.map(({ file }) => file)).toEqual([...paths.values()]);
    // A packed file is the twin of a plain one: both are the same thread's.
    const plain = plainFiles(version).map((file) => paths.get(file) as string);
    const converted = await printed(convert, plain, path.join(folder, `${version}-converted`));
    expect(converted.objects.map(({ file }) => file)).toEqual(plain);
    expect(converted.objects.filter(({ losses }) => (losses as unknown[]).length > 0)).toEqual([]);
    const again = await printed(
      validate,
      converted.objects.map(({ output }) => output as string),
    );
    expect(again.objects.filter(({ ok }) => ok !== true)).toEqual([]);
  },
);

it("a packed file is inspected like its plain twin", async () => {
  const paths = unpacked("0.171.0");
  const packed = [...paths.keys()].filter((file) => file.endsWith(".zst"));
  expect(packed).not.toEqual([]);
  for (const file of packed) {
    const name = paths.get(file) as string;
    const plain = name.replace(/\.zst$/, "");
    writeFileSync(plain, decompress(readFileSync(name)));
    const { objects } = await printed(inspect, [name, plain]);
    const [one, other] = objects.map(({ file: _, ...rest }) => rest);
    expect(one).toEqual(other);
    expect(one).toMatchObject({ losses: [], missingHistory: [] });
  }
});

it("the reference shows less in twelve files, and the same in all others", () => {
  expect(Object.fromEntries(shownLess)).toEqual({
    "0.39.0": 1,
    "0.42.0": 1,
    "0.98.0": 1,
    "0.104.0": 1,
    "0.110.0": 1,
    "0.116.0": 1,
    "0.122.0": 1,
    "0.128.0": 1,
    "0.153.0": 1,
    "0.155.0": 1,
    "0.166.0": 1,
    "0.171.0": 1,
  });
});
