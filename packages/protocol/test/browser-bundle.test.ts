/** The package runs where there is no Node: bundled for browsers, in a bare context without any global of a platform. */
import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";

const packageFolder = join(import.meta.dirname, "..");
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => removeFolder(folder))));

async function bundle(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bundle-"));
  folders.push(folder);
  const entry = join(folder, "entry.ts");
  writeFileSync(entry, source.replaceAll("@src", join(packageFolder, "src")));
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "result",
    platform: "browser",
    nodePaths: [join(packageFolder, "node_modules")],
    logLevel: "error",
  });
  return result.outputFiles[0]?.text ?? "";
}

test("types and helpers, validators, readers and text in a bare context", async () => {
  const code = await bundle(`
    import { messageText, PROTOCOL_VERSION, RpcErrorCode } from "@src/index.ts";
    import { AppMethods, toAppUserInput } from "@src/app/index.ts";
    import { readRolloutLine } from "@src/legacy/index.ts";
    import { collectRollout, projectThread } from "@src/rollout/index.ts";
    import { encodeUtf8, utf8Length } from "@src/text/index.ts";
    import { validate } from "@src/validate/index.ts";
    export const version = PROTOCOL_VERSION;
    export const overloaded = RpcErrorCode.overloaded;
    export const text = messageText([{ type: "text", text: "a" }, { type: "text", text: "b" }]);
    export const app = toAppUserInput({ type: "audio", audio_url: "u" });
    export const method = AppMethods.clientRequests["turn/start"].params;
    export const bytes = utf8Length("👍");
    export const refused = validate("UserInput", { type: "text" });
    export const old = readRolloutLine({ id: "t", timestamp: "now" }).ok;
    async function* lines() {
      yield encodeUtf8('{"id":"t","timestamp":"now"}\\n{"type":"message","role":"user","content":[{"type":"input_text","text":"höllo"}]}\\n');
    }
    export const thread = collectRollout(lines()).then((records) => projectThread(records));
  `);
  expect(code).not.toMatch(/\brequire\(|node:|process\.|\bBuffer\b/);
  const context = createContext({});
  runInContext(`${code}; globalThis.result = result;`, context);
  const result = (context as { result: Record<string, unknown> }).result;
  const { thread, ...rest } = JSON.parse(JSON.stringify(result));
  expect(thread).toEqual({});
  expect(rest).toEqual({
    version: "0.150.0",
    overloaded: -32001,
    text: "ab",
    app: { type: "audio", url: "u" },
    method: "TurnStartParams",
    bytes: 4,
    refused: { ok: false, issues: [{ path: "text", message: "is required" }] },
    old: true,
  });
  const projected = (await (result.thread as Promise<unknown>)) as { preview: string; era: string };
  expect({ preview: projected.preview, era: projected.era }).toEqual({ preview: "höllo", era: "bare" });
});

test("the main entry is small and loads nothing", async () => {
  const code = await bundle(`export * from "@src/index.ts";`);
  expect(code.length).toBeLessThan(20_000);
  expect(code).not.toContain("typebox");
});
