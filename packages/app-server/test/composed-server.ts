/** The server as it ships, a scripted model over HTTP, and a client that only knows the wire. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, type ScriptedResponse, startScriptedModel } from "@turnkit/core/scripted-model";
// The server loads it with the first thread; here it is loaded before any test's time runs.
import "../src/compose.js";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { createInProcessAppServer } from "../src/in-process.js";
import { type Message, RawClient } from "./raw-client.js";

export const text = (words: string) => [{ type: "text", text: words, text_elements: [] }];

export interface Folders {
  readonly home: string;
  readonly cwd: string;
  readonly model: ScriptedModel;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `top` stands above the tables of the configuration; `fallback` answers when nothing was pushed. */
export async function folders(top = "", fallback?: (request: unknown) => ScriptedResponse): Promise<Folders> {
  const folder = mkdtempSync(join(tmpdir(), "composed-"));
  const model = await startScriptedModel(fallback ? { fallback } : {});
  writeFileSync(
    join(folder, "config.toml"),
    `model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
${top}
[model_providers.scripted]
name = "scripted"
base_url = "${model.url}"
request_max_retries = 0
stream_max_retries = 0
`,
  );
  return {
    home: folder,
    cwd: folder,
    model,
    async [Symbol.asyncDispose]() {
      model.releaseAll();
      await model.close();
      await removeFolder(folder);
    },
  };
}

export async function connect({ home, cwd, model }: Folders) {
  const log: string[] = [];
  const server = createInProcessAppServer({
    home,
    // Login shells read the profile of a home folder: not the one of whoever runs the tests.
    env: { ...process.env, TURNKIT_HOME: home, HOME: home, SHELL: "/bin/bash" },
    log: (line) => log.push(line),
  });
  const client = new RawClient(server.transport);
  await client.hello();
  const ok = async (method: string, params: unknown) => {
    const { result, error } = await client.request(method, params);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const completed = (turnId: string): Promise<Message> =>
    client.until(({ method, params }) => method === "turn/completed" && params.turn.id === turnId);
  return {
    client,
    server,
    log,
    ok,
    completed,
    async thread(params: object = {}): Promise<string> {
      return (await ok("thread/start", { cwd, ...params })).thread.id;
    },
    async turn(threadId: string, words: string): Promise<Message> {
      const { turn } = await ok("turn/start", { threadId, input: text(words) });
      return await completed(turn.id);
    },
    /** The id of the turn that began as number `count`. */
    async started(count: number): Promise<string> {
      return (await client.notification("turn/started", count)).params.turn.id;
    },
    asked: (at: number) => askedOf(model, at),
    async [Symbol.asyncDispose]() {
      model.releaseAll();
      await server.close();
    },
  };
}

/** Texts of a request, without what programs tell of themselves. */
export function askedOf(model: ScriptedModel, at: number): string[] {
  const { input } = (model.calls.at(at) ?? { body: { input: [] } }).body as {
    input: { type: string; role?: string; content?: { text?: string }[] }[];
  };
  return input
    .filter(({ type, role }) => type === "message" && role !== "developer")
    .map(({ content }) => (content ?? []).map((part) => part.text ?? "").join(""))
    .filter((each) => !each.startsWith("<environment_context>"));
}
