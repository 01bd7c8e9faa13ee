/** The examples of the public interface are programs that run. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { functionCall, message, type ScriptedModel, startScriptedModel } from "@turnkit/core/scripted-model";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
let model: ScriptedModel;
const children: ChildProcessWithoutNullStreams[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-examples-"));
  model = await startScriptedModel();
  await build({
    entryPoints: ["terminal-chat", "event-endpoint"].map((name) =>
      path.join(import.meta.dirname, `../examples/${name}.ts`),
    ),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@turnkit/source", "node", "import", "default"],
    external: ["sharp"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await model.close();
  await removeFolder(folder);
});

function start(name: string) {
  const child = spawn(process.execPath, [path.join(folder, `${name}.mjs`)], {
    env: { PATH: process.env.PATH, TURNKIT_BASE_URL: model.url, TURNKIT_MODEL: "gpt-5" },
  });
  children.push(child);
  let output = "";
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const look of [...waiting]) look();
    });
  return {
    child,
    output: () => output,
    until: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        const look = () => {
          const found = pattern.exec(output);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

const questions = [
  {
    id: "c",
    header: "C",
    question: "Which?",
    options: [
      { label: "Red", description: "r" },
      { label: "Blue", description: "b" },
    ],
  },
];

test("a chat in a terminal", { timeout: 60_000 }, async () => {
  model.push(
    { items: [functionCall("request_user_input", { questions }, "ask")] },
    { items: [message("Blue it is.")] },
  );
  const chat = start("terminal-chat");
  await chat.until(/> $/);
  chat.child.stdin.write("pick a colour\n");
  await chat.until(/\? Which\? \(Red \/ Blue\) $/);
  chat.child.stdin.write("Blue\n");
  await chat.until(/Blue it is\.\n> $/);
  const exited = new Promise((resolve) => chat.child.once("exit", resolve));
  chat.child.stdin.end();
  expect(await exited).toBe(0);
  expect(JSON.stringify(model.calls.at(-1)?.body)).toContain('{\\"answers\\":{\\"c\\":{\\"answers\\":[\\"Blue\\"]}}}');
});

test("an endpoint with events", { timeout: 60_000 }, async () => {
  model.push({ items: [functionCall("request_user_input", { questions }, "ask")] }, { items: [message("So be it.")] });
  const endpoint = start("event-endpoint");
  const [, port] = await endpoint.until(/"port":(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  const stop = new AbortController();
  const events = await fetch(`${url}/events`, { signal: stop.signal });
  const submitted = (await (await fetch(`${url}/turns`, { method: "POST", body: "hello" })).json()) as {
    Started: { turn_id: string };
  };
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of events.body as unknown as AsyncIterable<Uint8Array>) {
    const before = text.includes("event: request_user_input");
    text += decoder.decode(chunk, { stream: true });
    if (!before && text.includes("event: request_user_input")) {
      const bad = await fetch(`${url}/answers/${submitted.Started.turn_id}`, { method: "POST", body: '{"answers":3}' });
      expect([bad.status, await bad.json()]).toEqual([400, { error: "body.answers must be object" }]);
      await fetch(`${url}/answers/${submitted.Started.turn_id}`, { method: "POST", body: '{"answers":{}}' });
    }
    if (text.includes("event: task_complete")) break;
  }
  stop.abort();
  expect(text).toContain('"last_agent_message":"So be it."');
  expect((await fetch(`${url}/nowhere`)).status).toBe(404);
});
