/** The AI SDK with the provider for Codex app-servers, whose command is our program. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { functionCall, message, reasoning, type ScriptedModel, startScriptedModel } from "@turnkit/core/scripted-model";
import { ReferenceJudge } from "@turnkit/tooling-conformance/app-server/reference-judge";
import { afterAll, describe, expect, it } from "vitest";
import { Home, MAIN, PROCESS_TIMEOUT } from "./support/cli.js";
import { configureModel, genuineProgram, peerModule } from "./support/peers.js";
import { until } from "./support/virtual-terminal.js";

// biome-ignore lint/suspicious/noExplicitAny: messages of any method
type Message = any;

/** The parts of the two packages that are used here. */
interface Session {
  readonly threadId: string;
  isActive(): boolean;
  injectMessage(content: string): Promise<void>;
  interrupt(): Promise<void>;
}
interface Client {
  send(message: Message): void;
  handleMessage(message: Message): void;
}
interface Model {
  getClient(): Client;
  getSession(): Session | null;
  dispose(): void;
}
interface Provider {
  createCodexAppServer(options: { defaultSettings: object }): (model: string, settings?: object) => Model;
  listModels(options: object): Promise<{ models: { id: string }[]; defaultModel: { id: string } | undefined }>;
}
interface Part {
  readonly type: string;
  readonly [member: string]: unknown;
}
interface AiSdk {
  generateText(options: object): Promise<{ text: string; finishReason: string }>;
  generateObject(options: object): Promise<{ object: unknown }>;
  jsonSchema(schema: object): unknown;
  streamText(options: object): {
    fullStream: AsyncIterable<Part>;
    text: PromiseLike<string>;
    providerMetadata: PromiseLike<{ codex?: { sessionId?: string } } | undefined>;
  };
}

const traffic: { direction: "client" | "server"; message: Message }[][] = [];

async function open(home: Home, settings: object = {}) {
  const ai = await peerModule<AiSdk>("ai/dist/index.mjs");
  const { createCodexAppServer } = await peerModule<Provider>("ai-sdk-provider-codex-app-server/dist/index.js");
  const provider = createCodexAppServer({
    defaultSettings: {
      codexPath: MAIN,
      cwd: home.path,
      env: home.environment(),
      approvalMode: "never",
      sandboxMode: "danger-full-access",
      logger: false,
      ...settings,
    },
  });
  const model = provider("gpt-5.4");
  const client = model.getClient();
  const said: (typeof traffic)[number] = [];
  traffic.push(said);
  const send = client.send.bind(client);
  client.send = (sent) => {
    said.push({ direction: "client", message: sent });
    send(sent);
  };
  const handle = client.handleMessage.bind(client);
  client.handleMessage = (got) => {
    said.push({ direction: "server", message: got });
    handle(got);
  };
  const asked = (method: string): Message | undefined =>
    said.find(({ direction, message: each }) => direction === "server" && each.method === method)?.message;
  return { ai, model, client, asked, [Symbol.dispose]: () => model.dispose() };
}

const textOf = (model: ScriptedModel): string =>
  JSON.stringify((model.calls.at(-1)?.body as { input?: unknown } | undefined)?.input);

describe("the AI SDK's provider", { timeout: PROCESS_TIMEOUT }, () => {
  it("lists models and generates", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({ responses: [{ items: [message("generated")] }] });
    configureModel(home, model.url, "house-model");
    const { listModels } = await peerModule<Provider>("ai-sdk-provider-codex-app-server/dist/index.js");
    const { models, defaultModel } = await listModels({ codexPath: MAIN, env: home.environment() });
    expect(defaultModel?.id).toBe("house-model");
    expect(models.map(({ id }) => id)).toContain("gpt-5.4");
    using peer = await open(home);
    const { text, finishReason } = await peer.ai.generateText({
      model: peer.model,
      system: "Answer in one word.",
      prompt: "go",
    });
    expect({ text, finishReason }).toEqual({ text: "generated", finishReason: "stop" });
    expect(model.calls[0]?.body).toMatchObject({ model: "gpt-5.4" });
    expect(textOf(model)).toContain("Answer in one word.");
  });

  it("streams text, reasoning and what a command did", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({
      responses: [
        { items: [reasoning("thinking"), functionCall("exec_command", { cmd: "echo streamed" }, "the-command")] },
        { items: [message("all done")] },
      ],
    });
    configureModel(home, model.url);
    using peer = await open(home);
    const { fullStream, text } = peer.ai.streamText({ model: peer.model, prompt: "go" });
    const parts: Part[] = [];
    for await (const part of fullStream) parts.push(part);
    expect(await text).toBe("all done");
    const textOfParts = (type: string) => parts.filter((part) => part.type === type).map((part) => part.text);
    expect(textOfParts("reasoning-delta").join("")).toContain("thinking");
    expect(textOfParts("text-delta").join("")).toBe("all done");
    expect(parts.filter(({ type }) => type === "tool-call")).toHaveLength(1);
    expect(JSON.stringify(parts.find(({ type }) => type === "tool-result"))).toContain("streamed");
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  });

  it("generates an object of a schema", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({ responses: [{ items: [message('{"answer":42}')] }] });
    configureModel(home, model.url);
    using peer = await open(home);
    const schema = {
      type: "object",
      properties: { answer: { type: "integer" } },
      required: ["answer"],
      additionalProperties: false,
    };
    const { object } = await peer.ai.generateObject({
      model: peer.model,
      prompt: "go",
      schema: peer.ai.jsonSchema(schema),
    });
    expect(object).toEqual({ answer: 42 });
    expect(model.calls[0]?.body).toMatchObject({ text: { format: { type: "json_schema" } } });
  });

  it("steers a running turn by injection", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({
      responses: [{ items: [message("first")], hold: true }, { items: [message("and second")] }],
    });
    configureModel(home, model.url);
    using peer = await open(home);
    const { text } = peer.ai.streamText({ model: peer.model, prompt: "go" });
    const whole = Promise.resolve(text);
    await until(
      () => model.held,
      (held) => held === 1,
      "the model was asked",
    );
    await peer.model.getSession()?.injectMessage("and a heron too");
    model.release();
    expect(await whole).toBe("firstand second");
    expect(model.calls).toHaveLength(2);
    expect(textOf(model)).toContain("and a heron too");
  });

  it("sends an image", async () => {
    await using home = new Home();
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const file = path.join(home.path, "pixel.png");
    writeFileSync(file, pixel, "base64");
    await using model = await startScriptedModel({ fallback: () => ({ items: [message("seen")] }) });
    configureModel(home, model.url);
    using peer = await open(home);
    const content = [
      { type: "text", text: "look" },
      { type: "image", image: Buffer.from(pixel, "base64"), mediaType: "image/png" },
    ];
    expect((await peer.ai.generateText({ model: peer.model, messages: [{ role: "user", content }] })).text).toBe(
      "seen",
    );
    expect(textOf(model)).toContain(`"image_url":"data:image/png;base64,${pixel}"`);
  });

  it("asks for approval, which is answered, refused, or interrupted", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({
      fallback: (body) =>
        JSON.stringify((body as { input: unknown[] }).input.at(-1)).includes("run")
          ? { items: [functionCall("exec_command", { cmd: "echo approved" })] }
          : { items: [message("over")] },
    });
    configureModel(home, model.url);
    using peer = await open(home, { approvalMode: "untrusted" });
    const abort = new AbortController();
    const parts: Part[] = [];
    const { fullStream } = peer.ai.streamText({ model: peer.model, prompt: "run", abortSignal: abort.signal });
    const reading = (async () => {
      for await (const part of fullStream) parts.push(part);
    })();
    // This version of the provider has no answer to a server's request: the turn waits until it is interrupted.
    const request = await until(
      () => peer.asked("item/commandExecution/requestApproval"),
      (found) => found !== undefined,
      "an approval is asked for",
    );
    expect(request).toMatchObject({ id: 0, params: { command: "/bin/bash -lc 'echo approved'" } });
    abort.abort();
    await reading;
    await until(
      () => peer.asked("turn/completed"),
      (ended) => ended?.params.turn.status === "interrupted",
      "the turn is interrupted",
    );
    // An application that answers through the provider's own client.
    const handle = peer.client.handleMessage;
    const decisions = ["accept", "decline"];
    peer.client.handleMessage = (got: Message) => {
      handle(got);
      if (got.method === "item/commandExecution/requestApproval")
        peer.client.send({ id: got.id, result: { decision: decisions.shift() } });
    };
    expect((await peer.ai.generateText({ model: peer.model, prompt: "run" })).text).toBe("over");
    expect(textOf(model)).toContain("Process exited with code 0");
    expect((await peer.ai.generateText({ model: peer.model, prompt: "run" })).text).toBe("over");
    expect(textOf(model)).toContain("rejected by user");
    expect(decisions).toEqual([]);
  });

  it("resumes a thread in another process", async () => {
    await using home = new Home();
    await using model = await startScriptedModel({ fallback: () => ({ items: [message("yes")] }) });
    configureModel(home, model.url);
    let sessionId: string | undefined;
    {
      using peer = await open(home);
      const first = peer.ai.streamText({ model: peer.model, prompt: "remember the heron" });
      expect(await first.text).toBe("yes");
      sessionId = (await first.providerMetadata)?.codex?.sessionId;
    }
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    using peer = await open(home, { resume: sessionId });
    expect((await peer.ai.generateText({ model: peer.model, prompt: "what was it" })).text).toBe("yes");
    expect(peer.model.getSession()?.threadId).toBe(sessionId);
    expect(textOf(model)).toMatch(/remember the heron.*what was it/);
  });

  // Last: it looks at what the tests above have recorded.
  it("has heard nothing that the reference could not have said", async () => {
    const judge = await ReferenceJudge.of(genuineProgram());
    const verdicts = traffic.map((said) => judge.judge(said));
    expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
    expect(verdicts.reduce((sum, { judged }) => sum + judged, 0)).toBeGreaterThan(150);
  });
});

afterAll(() => {
  traffic.length = 0;
});
