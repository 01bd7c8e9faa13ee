import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitBlobId, nodeFileSystem } from "../node/index.js";
import { ManualClock } from "../testing/index.js";
import type { CallContext, ToolTurn } from "../tool.js";
import {
  createApplyPatchTool,
  type FileChangeItem,
  PatchApplier,
  type PatchAuthorization,
  type PatchAuthorizer,
  type PatchDecision,
} from "./apply-patch.js";
import { TurnDiff } from "./turn-diff.js";

let folder: string;
let reports: (readonly [string, FileChangeItem["status"]])[];
let diff: TurnDiff;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "apply-patch-"));
  reports = [];
  diff = new TurnDiff((path) => relative(folder, path), gitBlobId);
});
afterEach(() => rm(folder, { recursive: true }));

function context(): CallContext {
  const turn: ToolTurn = { id: "t", mode: "default", cwd: folder, isRootThread: true, outputTokenLimit: 10_000 };
  return { turn, signal: new AbortController().signal, emit: () => {} };
}

function tool(permission: PatchAuthorization = { type: "run" }, decision: PatchDecision = { type: "approved" }) {
  const authorizer: PatchAuthorizer = { assess: async () => permission, ask: async () => decision };
  return createApplyPatchTool(
    new PatchApplier({
      files: nodeFileSystem,
      clock: new ManualClock(),
      authorizer,
      reporter: {
        started: (_, item) => reports.push(["started", item.status]),
        completed: (_, item) => reports.push(["completed", item.status]),
        changed: (_, files) => diff.record(files),
      },
      resolvePath: resolve,
      folderOf: dirname,
    }),
  );
}

function apply(body: string, ...options: Parameters<typeof tool>): Promise<unknown> {
  return applyText(`*** Begin Patch\n${body}\n*** End Patch\n`, ...options);
}

function applyText(input: string, ...options: Parameters<typeof tool>): Promise<unknown> {
  const call = { callId: "call", name: "apply_patch", payload: { kind: "custom", input } } as const;
  return tool(...options)
    .run(call, context())
    .then((output) => output.body);
}

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const read = (name: string) => readFile(join(folder, name), "utf8");

describe("apply_patch", () => {
  it("adds, changes, moves and deletes, and words the result by kind", async () => {
    await write("u.txt", "a\nb\nc\nd\ne\nf\ng\n");
    await write("del.txt", "gone\n");
    await write("mv.txt", "1\n2\n3\n");
    const body = await apply(
      "*** Update File: u.txt\n@@\n-b\n+B\n@@\n-f\n+F\n*** Delete File: del.txt\n*** Update File: mv.txt\n*** Move to: sub/moved.txt\n@@\n-2\n+two\n*** Add File: deep/new.txt\n+hello",
    );
    expect(body).toBe(
      "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA deep/new.txt\nM u.txt\nM sub/moved.txt\nD del.txt\n",
    );
    expect(await read("u.txt")).toBe("a\nB\nc\nd\ne\nF\ng\n");
    expect(await read("sub/moved.txt")).toBe("1\ntwo\n3\n");
    expect(await read("deep/new.txt")).toBe("hello\n");
    await expect(read("mv.txt")).rejects.toThrow(/ENOENT/);
    await expect(read("del.txt")).rejects.toThrow(/ENOENT/);
    expect(reports).toEqual([
      ["started", null],
      ["completed", "completed"],
    ]);
    expect(diff.text()).toBe(
      [
        "diff --git a/deep/new.txt b/deep/new.txt",
        "new file mode 100644",
        "index 0000000000000000000000000000000000000000..ce013625030ba8dba906f756967f9e9ca394464a",
        "--- /dev/null",
        "+++ b/deep/new.txt",
        "@@ -0,0 +1 @@",
        "+hello",
        "diff --git a/del.txt b/del.txt",
        "deleted file mode 100644",
        "index 286c5f5776916d7d7d5849988ca9d83e722cf9c2..0000000000000000000000000000000000000000",
        "--- a/del.txt",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-gone",
        "diff --git a/mv.txt b/sub/moved.txt",
        "index 01e79c32a8c99c557f0757da7cb6d65b3414466d..d8eb09865eea17463394416e1be16d5bc553da88",
        "--- a/mv.txt",
        "+++ b/sub/moved.txt",
        "@@ -1,3 +1,3 @@",
        " 1",
        "-2",
        "+two",
        " 3",
        "diff --git a/u.txt b/u.txt",
        "index f9d9a0195c5b9c01ef64e2a69d8b9a624f42b8c8..7fb1f47657a807ef3dc3139e72cf7b35c7d1e7ed",
        "--- a/u.txt",
        "+++ b/u.txt",
        "@@ -1,7 +1,7 @@",
        " a",
        "-b",
        "+B",
        " c",
        " d",
        " e",
        "-f",
        "+F",
        " g",
        "",
      ].join("\n"),
    );
  });

  it("forgets a change that a later patch takes back", async () => {
    await write("u.txt", "a\n");
    await apply("*** Update File: u.txt\n@@\n-a\n+b");
    await apply("*** Update File: u.txt\n@@\n-b\n+a");
    expect(diff.text()).toBe("");
  });

  it.each([
    [
      "",
      "invalid hunk at line 2, '' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    ],
    ["*** Update File: u.txt\n@@\n-zzz\n+B", "Failed to find expected lines in FOLDER/u.txt:\nzzz"],
    ["*** Update File: u.txt\n@@ nowhere\n-a\n+B", "Failed to find context 'nowhere' in FOLDER/u.txt"],
    [
      "*** Update File: nope.txt\n@@\n-a\n+B",
      "Failed to read file to update FOLDER/nope.txt: No such file or directory (os error 2)",
    ],
    ["*** Delete File: dir", "Failed to read FOLDER/dir: path `FOLDER/dir` is not a file"],
    [
      "*** Add File: q.txt\n+a\n*** Update File: q.txt\n@@\n-a\n+b",
      "invalid patch: multiple operations target FOLDER/q.txt",
    ],
    ["*** Update File: u.txt", "invalid hunk at line 2, Update file hunk for path 'u.txt' is empty"],
    ["*** Update File: u.txt\n@@", "invalid hunk at line 4, Update hunk does not contain any lines"],
    [
      "*** Update File: u.txt\n@@\nzz",
      "invalid hunk at line 4, Unexpected line found in update hunk: 'zz'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
    ],
    [
      "*** Update File: u.txt\n@@\n-a\nzz",
      "invalid hunk at line 5, Expected update hunk to start with a @@ context marker, got: 'zz'",
    ],
  ])("refuses %j and changes nothing", async (body, message) => {
    await write("u.txt", "a\n");
    await mkdir(join(folder, "dir"));
    await expect(apply(body)).rejects.toThrow(
      expect.objectContaining({
        name: "RespondToModel",
        message: `apply_patch verification failed: ${message.replaceAll("FOLDER", folder)}`,
      }),
    );
    expect(reports).toEqual([]);
    expect(await read("u.txt")).toBe("a\n");
  });

  it("refuses a patch without sections", async () => {
    const text = "*** Begin Patch\n*** End Patch";
    await expect(applyText(text)).rejects.toThrow(/^patch rejected: empty patch$/);
    expect(reports).toEqual([]);
  });

  it("reports a write that fails, and the diff of what was written before it", async () => {
    await mkdir(join(folder, "dir"));
    expect(await apply("*** Add File: ok.txt\n+1\n*** Add File: dir\n+x")).toBe(
      `Exit code: 1\nWall time: 0 seconds\nOutput:\nFailed to write file ${join(folder, "dir")}: Is a directory (os error 21)\n`,
    );
    expect(reports.at(-1)).toEqual(["completed", "failed"]);
    expect(diff.text()).toContain("+++ b/ok.txt");
  });

  it("changes nothing when it is declined or refused", async () => {
    await write("u.txt", "a\n");
    const body = "*** Update File: u.txt\n@@\n-a\n+b";
    await expect(apply(body, { type: "ask" }, { type: "declined", reason: "patch rejected by user" })).rejects.toThrow(
      "patch rejected by user",
    );
    expect(reports.at(-1)).toEqual(["completed", "declined"]);
    reports = [];
    await expect(apply(body, { type: "refused", message: "no" })).rejects.toThrow("no");
    expect(reports).toEqual([]);
    expect(await read("u.txt")).toBe("a\n");
  });

  it.each([
    ["keeps CRLF line ends", "a\r\nb\r\n", "-a\n+A", "A\r\nb\r\n"],
    ["matches lines that differ in blanks at their ends", "a  \nb\n", "-a\n+A", "A\nb\n"],
    ["matches typographic quotes and dashes", "say “hi” – now\n", '-say "hi" - now\n+done', "done\n"],
    ["ends the file with a line break", "a\nb", "-a\n+A", "A\nb\n"],
    ["takes an empty line for context", "a\n\nb\n", " a\n\n-b\n+B", "a\n\nB\n"],
    ["appends when there is nothing to replace", "a\n", "+z", "a\nz\n"],
    ["finds the last of several places with the end marker", "x\ny\nx\n", "-x\n+z\n*** End of File", "x\ny\nz\n"],
    ["empties a file", "a\n", "-a", ""],
    ["keeps a byte order mark of the line it changes", "\uFEFFa\nb\n", "-a\n+A", "\uFEFFA\nb\n"],
    ["keeps a byte order mark of another line", "\uFEFFa\r\nb\r\n", "-b\n+B", "\uFEFFa\r\nB\r\n"],
    ["does not write a second byte order mark", "\uFEFFa\nb\n", "-\uFEFFa\n+\uFEFFA", "\uFEFFA\nb\n"],
    ["leaves nothing of a file but its lines", "\uFEFFa\n", "-a", ""],
  ])("%s", async (_, before, chunk, after) => {
    await write("f", before);
    await apply(`*** Update File: f\n@@\n${chunk}`);
    expect(await read("f")).toBe(after);
  });
});
