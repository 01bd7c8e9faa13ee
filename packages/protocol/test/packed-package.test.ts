/** The package as it is published: what it installs, that others can compile and run it, in Node and in a browser. */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createContext, Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { type BuildResult, build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConsumerProject, packageFolder, run } from "./packaging/consumer-project.js";

const entries = [
  "@turnkit/protocol",
  "@turnkit/protocol/app",
  "@turnkit/protocol/exec",
  "@turnkit/protocol/legacy",
  "@turnkit/protocol/rollout",
  "@turnkit/protocol/schemas",
  "@turnkit/protocol/text",
  "@turnkit/protocol/validate",
  "@turnkit/protocol/validate/config",
];
const largestMainEntry = 60_000;
/** Checking the declarations of typebox alone takes a compiler ten seconds of one core. */
const patience = 180_000;

/** What the consumer prints. */
const findings = {
  version: "0.150.0",
  invalidParams: -32602,
  described: "a at app://a",
  params: true,
  answer: true,
  issue: "text is required",
  refusal: "params.threadId is required",
  config: true,
  upgraded: true,
  app: { type: "image", url: "data:,", detail: null },
  length: 5,
  slice: "👍",
  items: ["userMessage"],
  methods: true,
  validators: true,
  schema: "UserInput",
  named: "UserInput",
};

let project: ConsumerProject;

beforeAll(async () => {
  project = await ConsumerProject.create();
  await copyFile(path.join(packageFolder, "test/packaging/consumer.ts"), path.join(project.folder, "consumer.ts"));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

async function bundle(contents: string): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    stdin: { contents, resolveDir: project.folder, sourcefile: "entry.js" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    platform: "browser",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
}

test("brings typebox and nothing else", async () => {
  expect(await project.installed()).toEqual(["@turnkit/protocol", "typebox"]);
});

// Two compilers that wait for nothing but a core: they run side by side.
test.concurrent("is a package without faults to publint and to are-the-types-wrong", {
  timeout: patience,
}, async () => {
  const tarball = await readFile(project.tarball);
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) as ArrayBuffer;
  const [linted, types] = await Promise.all([
    publint({ pack: { tarball: bytes }, strict: true }),
    run(packageFolder, "node_modules/.bin/attw", "--profile", "esm-only", "--format", "ascii", project.tarball),
  ]);
  expect(linted.messages).toEqual([]);
  expect(types.code, types.output).toBe(0);
});

test.concurrent("compiles as a dependency, its declarations checked too, and runs", { timeout: patience }, async () => {
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const config = { compilerOptions, files: ["consumer.ts"] };
  await writeFile(path.join(project.folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = path.join(packageFolder, "node_modules/.bin/tsc");
  expect(await run(project.folder, compiler, "-p", ".")).toEqual({ code: 0, output: "" });
  const ran = await run(project.folder, process.execPath, "consumer.js");
  expect(JSON.parse(ran.output)).toEqual(findings);
});

test("has every entry point, and each names what it is said to", async () => {
  const imported = entries.map((name) => `${JSON.stringify(name)}: Object.keys(await import("${name}")).length`);
  const code = `console.log(JSON.stringify({ ${imported.join(", ")} }))`;
  const { output } = await run(project.folder, process.execPath, "--input-type=module", "--eval", code);
  const counts = JSON.parse(output) as Record<string, number>;
  expect(Object.keys(counts)).toEqual(entries);
  expect(Object.values(counts).filter((count) => count === 0)).toEqual([]);
  const manifest = JSON.parse(await readFile(path.join(packageFolder, "package.json"), "utf8"));
  const exported = Object.keys(manifest.exports).filter((name) => !name.endsWith(".json"));
  expect(exported.map((name) => `@turnkit/protocol${name.slice(1)}`).sort()).toEqual([...entries].sort());
});

test("has a main entry that is small and brings no schema library", async () => {
  const { outputFiles, metafile } = await bundle('export * from "@turnkit/protocol";');
  const size = gzipSync(outputFiles[0]?.contents as Uint8Array).length;
  expect(size).toBeGreaterThan(200);
  expect(size).toBeLessThan(largestMainEntry);
  expect(Object.keys(metafile.inputs).filter((name) => /typebox|ajv|validate|schemas\.js/.test(name))).toEqual([]);
});

test("runs bundled for a browser", async () => {
  const { outputFiles } = await bundle(await readFile(path.join(project.folder, "consumer.js"), "utf8"));
  const text = outputFiles[0]?.text as string;
  expect(text).not.toMatch(/\brequire\(|"node:|\bfrom"/);
  let printed = "";
  // Of what browsers have, the schema library wants one thing; the other entries want nothing.
  const context = createContext({ TextEncoder, console: { log: (line: string) => (printed = line) } });
  // The consumer waits at its top level, which a plain script can only do inside of a function.
  await new Script(`(async () => {${text}})()`).runInContext(context);
  expect(JSON.parse(printed)).toEqual(findings);
});
