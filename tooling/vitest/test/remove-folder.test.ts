import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { removeFolder } from "../remove-folder.mjs";

/** Writes the same files until it is ended, also into folders that are gone, and says so after every hundred. */
const WRITER = `const { mkdirSync, writeFileSync, writeSync } = require("node:fs");
const attempt = (act) => { try { act(); } catch {} };
for (let count = 1; ; count += 1) {
  attempt(() => mkdirSync("deep"));
  attempt(() => writeFileSync("deep/" + (count % 50), "text"));
  if (count % 100 === 0) writeSync(1, "hundred\\n");
}`;

test("a folder goes away although a program still writes into it when that begins", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkit-written-"));
  const writer = spawn(process.execPath, ["-e", WRITER], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(writer, "exit");
  const hundreds = createInterface(writer.stdout)[Symbol.asyncIterator]();
  await hundreds.next();
  const removed = removeFolder(folder);
  await hundreds.next();
  await hundreds.next();
  writer.kill("SIGKILL");
  await exited;
  await removed;
  expect(existsSync(folder)).toBe(false);
});

test("what it holds goes with it; what is gone already is fine", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "turnkit-removed-"));
  mkdirSync(path.join(folder, "a/b"), { recursive: true });
  writeFileSync(path.join(folder, "a/b/c"), "text");
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  await removeFolder(folder);
});
