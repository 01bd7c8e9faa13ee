/** The Codex SDK with `turnkit` as its program: what an application that was written for the reference sees. */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import {
  customToolCall,
  functionCall,
  message,
  reasoning,
  type ScriptedModel,
  startScriptedModel,
} from "@turnkit/core/scripted-model";
import { afterAll, describe, expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { peerFile, peerModule } from "./support/peers.js";
import { until } from "./support/virtual-terminal.js";

/** The part of the package that is used here. Its own types check the events, see the last test. */
interface Sdk {
  readonly Codex: new (options: {
    codexPathOverride: string;
    baseUrl: string;
    apiKey: string;
    env: Record<string, string>;
  }) => { startThread(options: object): Thread; resumeThread(id: string, options: object): Thread };
}
type Input = string | readonly ({ type: "text"; text: string } | { type: "local_image"; path: string })[];
interface TurnOptions {
  readonly outputSchema?: unknown;
  readonly signal?: AbortSignal;
}
interface Thread {
  readonly id: string | null;
  run(input: Input, options?: TurnOptions): Promise<{ items: Event["item"][]; finalResponse: string; usage: unknown }>;
  runStreamed(input: Input, options?: TurnOptions): Promise<{ events: AsyncIterable<Event> }>;
}
interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: events are compared whole
  readonly [member: string]: any;
}

const entry = "@openai/codex-sdk/dist/index.js";
const seen: Event[] = [];

async function open(home: Home, model: ScriptedModel) {
  const { Codex } = await peerModule<Sdk>(entry);
  const codex = new Codex({
    codexPathOverride: MAIN,
    baseUrl: model.url,
    apiKey: "sk-of-the-sdk",
    env: { ...home.environment(), PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
  });
  const options = {
    model: "gpt-5.4",
    workingDirectory: home.path,
    skipGitRepoCheck: true,
    sandboxMode: "danger-full-access",
    approvalPolicy: "never",
    modelReasoningEffort: "low",
    webSearchMode: "disabled",
    networkAccessEnabled: true,
    additionalDirectories: [home.path],
    threadSource: "user",
  };
  return { codex, options, thread: codex.startThread(options) };
}

async function eventsOf(thread: Thread, input: Input, options: TurnOptions = {}): Promise<Event[]> {
  const { events } = await thread.runStreamed(input, options);
  const all: Event[] = [];
  for await (const event of events) {
    all.push(event);
    seen.push(event);
  }
  return all;
}

const lastBody = (model: ScriptedModel) =>
  model.calls.at(-1)?.body as { input: { content?: unknown }[]; text: unknown };

describe("the Codex SDK", { timeout: PROCESS_TIMEOUT }, () => {
  it("runs", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({ responses: [{ items: [message("hello")] }] });
    const { thread } = await open(home, model);
    expect(await thread.run("hi")).toEqual({
      items: [{ id: "item_0", type: "agent_message", text: "hello" }],
      finalResponse: "hello",
      usage: {
        input_tokens: 100,
        cached_input_tokens: 10,
        cache_write_input_tokens: 0,
        output_tokens: 20,
        reasoning_output_tokens: 5,
      },
    });
    expect(model.requests[0]?.headers.authorization).toBe("Bearer sk-of-the-sdk");
    expect(model.calls[0]?.body).toMatchObject({ model: "gpt-5.4", reasoning: { effort: "low" } });
  });

  it("streams reasoning, messages, commands, plans and patches", async () => {
    await using home = new Home();
    const plan = (status: string) => ({
      plan: [
        { step: "a", status },
        { step: "b", status: "pending" },
      ],
    });
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch";
    await using model = await startScriptedModel({
      responses: [
        { items: [reasoning("thinking"), message("first"), functionCall("exec_command", { cmd: "echo ok" }, "c1")] },
        { items: [functionCall("exec_command", { cmd: "echo bad; exit 3" }, "c2")] },
        { items: [functionCall("update_plan", plan("in_progress"), "c3")] },
        { items: [functionCall("update_plan", plan("completed"), "c4")] },
        { items: [customToolCall("apply_patch", patch, "c5")] },
        { items: [message("done")] },
      ],
    });
    const { thread } = await open(home, model);
    const events = await eventsOf(thread, "work");
    const command = (id: string, script: string) => ({
      id,
      type: "command_execution",
      command: `/bin/bash -lc '${script}'`,
    });
    const list = (done: boolean) => ({
      id: "item_4",
      type: "todo_list",
      items: [
        { text: "a", completed: done },
        { text: "b", completed: false },
      ],
    });
    const change = {
      id: "item_5",
      type: "file_change",
      changes: [{ path: path.join(home.path, "new.txt"), kind: "add" }],
    };
    const running = { aggregated_output: "", exit_code: null, status: "in_progress" };
    expect(events).toEqual([
      { type: "thread.started", thread_id: thread.id },
      { type: "turn.started" },
      { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "thinking" } },
      { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "first" } },
      { type: "item.started", item: { ...command("item_2", "echo ok"), ...running } },
      {
        type: "item.completed",
        item: { ...command("item_2", "echo ok"), aggregated_output: "ok\n", exit_code: 0, status: "completed" },
      },
      { type: "item.started", item: { ...command("item_3", "echo bad; exit 3"), ...running } },
      {
        type: "item.completed",
        item: { ...command("item_3", "echo bad; exit 3"), aggregated_output: "bad\n", exit_code: 3, status: "failed" },
      },
      { type: "item.started", item: list(false) },
      { type: "item.updated", item: list(true) },
      { type: "item.completed", item: { ...change, status: "completed" } },
      { type: "item.completed", item: { id: "item_6", type: "agent_message", text: "done" } },
      { type: "item.completed", item: list(true) },
      { type: "turn.completed", usage: expect.objectContaining({ input_tokens: 600 }) },
    ]);
  });

  it("asks for an answer of a schema and sends images", async () => {
    await using home = new Home();
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const file = home.write("pixel.png", "");
    await import("node:fs/promises").then(({ writeFile }) => writeFile(file, pixel, "base64"));
    await using model = await startScriptedModel({ responses: [{ items: [message('{"answer":42}')] }] });
    const { thread } = await open(home, model);
    const schema = {
      type: "object",
      properties: { answer: { type: "integer" } },
      required: ["answer"],
      additionalProperties: false,
    };
    const { finalResponse } = await thread.run(
      [
        { type: "text", text: "look" },
        { type: "local_image", path: file },
        { type: "text", text: "and tell" },
      ],
      { outputSchema: schema },
    );
    expect(JSON.parse(finalResponse)).toEqual({ answer: 42 });
    const { input, text } = lastBody(model);
    expect(text).toMatchObject({ format: { type: "json_schema", strict: true, schema } });
    expect(input.at(-1)?.content).toEqual([
      { type: "input_text", text: `<image name=[Image #1] path="${file}">` },
      { type: "input_image", image_url: `data:image/png;base64,${pixel}`, detail: "high" },
      { type: "input_text", text: "</image>" },
      { type: "input_text", text: "look\n\nand tell" },
    ]);
  });

  it("resumes a thread by its id, in a new process each time", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({ fallback: () => ({ items: [message("yes")] }) });
    const { codex, options, thread } = await open(home, model);
    await thread.run("remember the word heron");
    await thread.run("second");
    const resumed = codex.resumeThread(thread.id as string, options);
    const events = await eventsOf(resumed, "third");
    expect(events[0]).toEqual({ type: "thread.started", thread_id: thread.id });
    const sent = JSON.stringify(lastBody(model).input);
    for (const words of ["remember the word heron", "second", "third"]) expect(sent.split(words)).toHaveLength(2);
  });

  it("aborts a turn and goes on with the thread", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({
      responses: [{ items: [message("never")], hold: true }, { items: [message("again")] }],
    });
    const { thread } = await open(home, model);
    const abort = new AbortController();
    const aborted = eventsOf(thread, "wait", { signal: abort.signal });
    const refused = expect(aborted).rejects.toThrow(/abort/i);
    await until(
      () => model.held,
      (held) => held === 1,
      "the model was asked",
    );
    abort.abort();
    await refused;
    await until(
      () => model.held,
      (held) => held === 0,
      "the program let the model go",
    );
    expect((await thread.run("now")).finalResponse).toBe("again");
    expect(JSON.stringify(lastBody(model).input)).toContain("<turn_aborted>");
  });

  it("learns of a turn that failed", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({ responses: [{ status: 400 }] });
    const { thread } = await open(home, model);
    const { events } = await thread.runStreamed("fail");
    const all: Event[] = [];
    const reading = async () => {
      for await (const event of events) all.push(event);
    };
    await expect(reading()).rejects.toThrow("exited with code 1");
    seen.push(...all);
    expect(all.slice(2)).toEqual([
      { type: "error", message: expect.any(String) },
      { type: "turn.failed", error: { message: all[2]?.message } },
    ]);
  });

  // Last: it looks at what the tests above have seen.
  it("has types that every event fits, without an unknown member", async () => {
    await using home = new Home();
    // The reference, too, writes null where the types say that a member is absent.
    const plain = JSON.stringify(seen, (_, value: unknown) => (value === null ? undefined : value), 1);
    const types = peerFile("@openai/codex-sdk/dist/index.js").replaceAll("\\", "/");
    const source = home.write(
      "events.ts",
      `import type { ThreadEvent } from ${JSON.stringify(types)};\nexport const events: ThreadEvent[] = ${plain};\n`,
    );
    const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
    const flags = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--types",
      "",
    ];
    const check = (file: string) =>
      spawnSync(process.execPath, [tsc, ...flags, file], { encoding: "utf8", cwd: home.path });
    const { stdout, status } = check(source);
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
    expect(new Set(seen.map(({ type, item }) => item?.type ?? type)).size).toBeGreaterThan(8);
    const wrong = home.write(
      "wrong.ts",
      `import type { ThreadEvent } from ${JSON.stringify(types)};
export const event: ThreadEvent = { type: "turn.completed", usage: 3 };\n`,
    );
    expect(check(wrong).status).not.toBe(0);
  });
});

afterAll(() => {
  seen.length = 0;
});
