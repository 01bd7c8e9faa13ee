import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { searchFile } from "./search-file.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "search-"));
});
afterAll(() => rm(folder, { recursive: true }));

const said = (role: "user" | "assistant", text: string) => {
  const type = role === "user" ? "input_text" : "output_text";
  const payload = { type: "message", role, content: [{ type, text }] };
  return JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", type: "response_item", payload });
};

async function find(lines: readonly string[], term: string, end = "\n"): Promise<string | undefined> {
  const file = path.join(folder, "rollout.jsonl");
  await writeFile(file, lines.join("\n") + end);
  return await searchFile(file, term);
}

// A chunk of the stream is 64 KiB: lines of other lengths put its borders at every place of a character.
it.each([0, 1, 2, 3])("finds words behind a line of many chunks, wherever their borders lie (%i)", async (shift) => {
  const long = `${"x".repeat(shift)}${"😀".repeat(60_000)}`;
  const lines = [said("user", long), said("assistant", "The Kiwi is here."), said("user", "kiwi again")];
  expect(await find(lines, "kIWI")).toBe("The Kiwi is here.");
  expect(await find(lines, "😀😀 ")).toBeUndefined();
  expect(await find([said("user", `${long} kiwi 😀`)], "kiwi 😀")).toMatch(/^\.\.\. .*kiwi 😀$/);
});

it("reads a last line that has no end, and passes over what nobody said and what is broken", async () => {
  const developer = said("user", "kiwi").replace('"role":"user"', '"role":"developer"');
  const other = JSON.stringify({
    timestamp: "",
    type: "event_msg",
    payload: { type: "user_message", message: "kiwi" },
  });
  expect(await find([developer, other, '{"kiwi":', "kiwi"], "kiwi")).toBeUndefined();
  expect(await find([developer, said("user", "a kiwi")], "kiwi", "")).toBe("a kiwi");
});
