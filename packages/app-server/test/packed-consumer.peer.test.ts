/**
 * Core, rpc and exec-server as others compose them: packed, installed into an empty project, compiled with every
 * declaration checked, and run. Installs packages, so it runs with the peer suites.
 */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConsumerProject, packageFolder, run } from "../../protocol/test/packaging/consumer-project.js";

const patience = 300_000;
const names = ["protocol", "rpc", "tools", "exec-server", "core"];

let project: ConsumerProject;
beforeAll(async () => {
  const types = await readFile(path.join(packageFolder, "node_modules/@types/node/package.json"), "utf8");
  project = await ConsumerProject.create(names, { "@types/node": (JSON.parse(types) as { version: string }).version });
  const source = fileURLToPath(new URL("packaging/consumer.ts", import.meta.url));
  await copyFile(source, path.join(project.folder, "consumer.ts"));
}, patience);
afterAll(() => project[Symbol.asyncDispose]());

test("compiles with all declarations checked, and runs a session over an exec-server", {
  timeout: patience,
}, async () => {
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const config = { compilerOptions, files: ["consumer.ts"] };
  await writeFile(path.join(project.folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = path.join(packageFolder, "node_modules/.bin/tsc");
  expect(await run(project.folder, compiler, "-p", ".")).toEqual({ code: 0, output: "" });
  const { output } = await run(project.folder, process.execPath, "consumer.js");
  expect(JSON.parse(output)).toEqual({
    refused: expect.stringContaining("input"),
    started: true,
    command: true,
    typed: true,
    exited: true,
    over: "ws:",
    begun: 1,
    last: "shutdown_complete",
  });
});
