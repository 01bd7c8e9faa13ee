/** Lines reach their file whole, in order and once, whatever happens to the writing. */
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { EventMsg } from "@turnkit/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FileRecorder } from "./recorder.js";
import { SessionInUseError } from "./writer-lock.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-recorder-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const item = (message: string) => ({ type: "event_msg" as const, payload: { type: "warning", message } as EventMsg });

function recorder(name = "deep/er/session.jsonl", resume = false) {
  const file = path.join(folder, name);
  const made = new FileRecorder({
    path: file,
    resume,
    lockFolder: path.join(folder, "locks"),
    epochMs: () => 0,
    firstItem: resume ? undefined : async () => item("first"),
  });
  return { file, made };
}

/** What the lines of a file say; a line that is not whole is "half". */
async function said(file: string): Promise<string[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      try {
        return (JSON.parse(line) as { payload: { message: string } }).payload.message;
      } catch {
        return "half";
      }
    });
}

/**
 * Writes of all files fail as `fault` says while `work` runs. A recorder writes by itself soon after it has something to
 * write: it is given that in `work`, so that no write escapes the fault.
 */
async function withFault(
  fault: (write: () => Promise<{ bytesWritten: number }>, bytes: Buffer, at: number, cut: Cut) => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const probe = await open(path.join(folder, "probe"), "w");
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const original = prototype.write as (
    bytes: Buffer,
    at?: number,
    length?: number,
  ) => Promise<{ bytesWritten: number }>;
  Object.defineProperty(prototype, "write", {
    configurable: true,
    writable: true,
    value(this: FileHandle, bytes: Buffer, at = 0) {
      const cut: Cut = (length) => original.call(this, bytes, at, length);
      return fault(() => original.call(this, bytes, at), bytes, at, cut);
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(prototype, "write", { configurable: true, writable: true, value: original });
  }
}
type Cut = (length: number) => Promise<{ bytesWritten: number }>;

test("there is no file before there is something worth keeping; then its head comes first", async () => {
  const { file, made } = recorder();
  made.append(item("a"));
  await made.flush();
  await expect(readFile(file)).rejects.toThrow("ENOENT");
  expect(made.isMaterialized).toBe(false);
  made.materialize();
  made.append(item("b"));
  await made.flush();
  expect(await said(file)).toEqual(["first", "a", "b"]);
  await made.close();
});

test("a file that ends within a line is gone on with on a line of its own", async () => {
  await writeFile(path.join(folder, "old.jsonl"), '{"half');
  const { file, made } = recorder("old.jsonl", true);
  made.append(item("a"));
  await made.close();
  expect(await readFile(file, "utf8")).toMatch(/^\{"half\n\{.*"a".*\}\n$/);
});

describe("a write that fails", () => {
  test("is tried again at once, and what it fails with the second time is told; nothing is lost", async () => {
    await writeFile(path.join(folder, "deep"), "not a folder");
    const { file, made } = recorder();
    made.materialize();
    made.append(item("a"));
    await expect(made.flush()).rejects.toThrow(/ENOTDIR|EEXIST/);
    made.append(item("b"));
    await expect(made.flush()).rejects.toThrow(/ENOTDIR|EEXIST/);
    await rm(path.join(folder, "deep"));
    await made.flush();
    expect(await said(file)).toEqual(["first", "a", "b"]);
    await made.close();
  });

  test("once is not noticed by anybody", async () => {
    const { file, made } = recorder();
    let failures = 1;
    await withFault(
      async (write) => {
        if (failures-- > 0) throw new Error("EIO");
        return await write();
      },
      () => {
        made.materialize();
        made.append(item("a"));
        return made.flush();
      },
    );
    expect(failures).toBeLessThan(0);
    expect(await said(file)).toEqual(["first", "a"]);
    await made.close();
  });

  test("that takes nothing is a failure, not a wait without end", async () => {
    const { made } = recorder();
    await withFault(
      async () => ({ bytesWritten: 0 }),
      () => {
        made.materialize();
        made.append(item("a"));
        return expect(made.flush()).rejects.toThrow("nothing could be written");
      },
    );
    await made.close();
  });

  test("after any number of bytes leaves every line whole and once", async () => {
    const complete = recorder("complete.jsonl");
    complete.made.materialize();
    for (const text of ["a", "bé", "c"]) complete.made.append(item(text));
    await complete.made.close();
    const bytes = await readFile(complete.file);
    const everywhere = Array.from({ length: Math.floor(bytes.length / 17) }, (_, at) => at * 17);
    const aroundLineEnds = [...bytes.keys()]
      .filter((at) => bytes[at] === 0x0a)
      .flatMap((at) => [at - 1, at, at + 1, at + 2]);
    for (const cutAfter of new Set([...everywhere, ...aroundLineEnds])) {
      const { file, made } = recorder(`cut-${cutAfter}.jsonl`);
      // The first attempt is torn, the second too: the next flush has to make it good.
      let attempts = 0;
      await withFault(
        async (write, bytes, at, cut) => {
          if (at > 0) throw new Error("EIO");
          attempts += 1;
          if (attempts > 2) return await write();
          const part = Math.min(attempts === 1 ? cutAfter : 7, bytes.length);
          return part === 0 ? Promise.reject(new Error("EIO")) : await cut(part);
        },
        async () => {
          made.materialize();
          for (const text of ["a", "bé", "c"]) made.append(item(text));
          await made.flush().catch(() => {});
          made.append(item("later"));
          await made.flush();
        },
      );
      expect({ cutAfter, said: (await said(file)).filter((text) => text !== "half") }).toEqual({
        cutAfter,
        said: ["first", "a", "bé", "c", "later"],
      });
      await made.close();
    }
  });
});

test("a second writer is refused until the first has gone, and loses nothing by it", async () => {
  const first = recorder("one.jsonl");
  first.made.materialize();
  first.made.append(item("a"));
  await first.made.flush();
  const second = recorder("one.jsonl", true);
  second.made.append(item("b"));
  await expect(second.made.flush()).rejects.toBeInstanceOf(SessionInUseError);
  await first.made.close();
  await second.made.flush();
  expect(await said(second.file)).toEqual(["first", "a", "b"]);
  await second.made.close();
});
