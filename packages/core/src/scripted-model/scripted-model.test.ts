import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { customToolCall, functionCall, message, reasoning } from "./output-item.js";
import { type ScriptedModelEvent, startScriptedModel } from "./scripted-model.js";

async function call(url: string, body: unknown = { input: [] }, signal?: AbortSignal): Promise<Response> {
  return await fetch(`${url}/responses`, { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });
}

type StreamEvent = { type: string; [field: string]: unknown };

function parseEvents(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const parser = createParser({ onEvent: (event) => events.push(JSON.parse(event.data)) });
  parser.feed(text);
  return events;
}

describe("a scripted model", () => {
  test("plays responses in order and records the requests", async () => {
    await using model = await startScriptedModel({
      responses: [{ items: [message("one")] }, { items: [message("two")] }],
    });
    const first = parseEvents(await (await call(model.url, { input: [], n: 1 })).text());
    const second = parseEvents(await (await call(model.url, { input: [], n: 2 })).text());
    expect(first.map((event) => event.type)).toEqual([
      "response.created",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(first.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(second[6]!.item).toEqual({
      type: "message",
      role: "assistant",
      id: "msg_script_2_0",
      content: [{ type: "output_text", text: "two" }],
      status: "completed",
    });
    expect(model.calls.map((request) => request.body)).toEqual([
      { input: [], n: 1 },
      { input: [], n: 2 },
    ]);
  });

  test("refuses a call nothing is scripted for and remembers it", async () => {
    await using model = await startScriptedModel({ responses: [{ items: [message("only")] }] });
    await (await call(model.url)).text();
    const refused = await call(model.url);
    expect(refused.status).toBe(500);
    expect(await refused.json()).toEqual({
      error: {
        message: "scripted model: nothing is scripted for model call 2",
        type: "scripted_model",
        code: "unexpected_request",
      },
    });
    expect(model.errors.map((error) => error.message)).toEqual([
      "scripted model: nothing is scripted for model call 2",
    ]);
  });

  test("sends every kind of item with its deltas", async () => {
    await using model = await startScriptedModel({
      responses: [
        {
          items: [
            reasoning("why", "because"),
            functionCall("exec_command", { cmd: "ls" }, "call_a"),
            customToolCall("apply_patch", "*** Begin", "call_b"),
            { type: "web_search_call", id: "ws", status: "completed" },
          ],
        },
      ],
    });
    const events = parseEvents(await (await call(model.url)).text());
    expect(events.map((event) => event.type.replace("response.", ""))).toEqual([
      "created",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_text.delta",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
      "output_item.added",
      "output_item.done",
      "completed",
    ]);
    const done = events.filter((event) => event.type === "response.output_item.done").map((event) => event.item);
    expect(done[1]).toEqual({
      type: "function_call",
      id: "fc_script_1_1",
      call_id: "call_a",
      name: "exec_command",
      arguments: '{"cmd":"ls"}',
      status: "completed",
    });
  });

  test("halves never split a surrogate pair", async () => {
    await using model = await startScriptedModel({ responses: [{ items: [message("a😀b")] }] });
    const events = parseEvents(await (await call(model.url)).text());
    const deltas = events.filter((event) => event.type === "response.output_text.delta").map((event) => event.delta);
    expect(deltas).toEqual(["a😀", "b"]);
  });

  test("endings: failed, incomplete, none, cut and an HTTP error", async () => {
    await using model = await startScriptedModel({
      responses: [
        { failed: { code: "rate_limit", message: "slow down" } },
        { incomplete: "max_output_tokens" },
        { noCompleted: true },
        { cut: true },
        { status: 429, errorBody: { error: { message: "busy" } }, headers: { "retry-after": "7" } },
      ],
    });
    expect(parseEvents(await (await call(model.url)).text()).at(-1)).toEqual({
      type: "response.failed",
      sequence_number: 1,
      response: {
        id: "resp_script_1",
        object: "response",
        status: "failed",
        error: { code: "rate_limit", message: "slow down" },
      },
    });
    expect(parseEvents(await (await call(model.url)).text()).at(-1)!.type).toBe("response.incomplete");
    expect(parseEvents(await (await call(model.url)).text()).map((event) => event.type)).toEqual(["response.created"]);
    await expect((await call(model.url)).text()).rejects.toThrow();
    const busy = await call(model.url);
    expect([busy.status, busy.headers.get("retry-after"), await busy.json()]).toEqual([
      429,
      "7",
      { error: { message: "busy" } },
    ]);
  });

  test.each([
    ["hold", []],
    ["holdAfterCreated", ["response.created"]],
    ["holdBeforeCompleted", ["response.created", "response.output_item.added", "response.output_item.done"]],
  ] as const)("%s waits for release", async (kind, before) => {
    await using model = await startScriptedModel({
      responses: [{ [kind]: true, deltas: false, items: [message("x")] }],
    });
    const answer = call(model.url);
    await model.waitForHold();
    const seen: StreamEvent[] = [];
    if (before.length > 0) {
      const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
      const parser = createParser({ onEvent: (event) => seen.push(JSON.parse(event.data)) });
      while (seen.length < before.length) parser.feed((await reader.read()).value!);
      expect(seen.map((event) => event.type)).toEqual(before);
      expect(model.release()).toBe(true);
      for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value);
    } else {
      expect(model.release()).toBe(true);
      seen.push(...parseEvents(await (await answer).text()));
    }
    expect(seen.at(-1)!.type).toBe("response.completed");
    expect(model.release()).toBe(false);
  });

  test("a client that hangs up while held is noticed", async () => {
    const events: ScriptedModelEvent[] = [];
    let abandoned = (): void => {};
    const noticed = new Promise<void>((resolve) => {
      abandoned = resolve;
    });
    await using model = await startScriptedModel({
      responses: [{ holdMidText: true, items: [message("half said")] }],
      onEvent: (event) => {
        events.push(event);
        if (event.kind === "abandoned") abandoned();
      },
    });
    const abort = new AbortController();
    const answer = await call(model.url, {}, abort.signal);
    await model.waitForHold();
    abort.abort();
    await answer.text().catch(() => undefined);
    await noticed;
    expect(events.map((event) => event.kind)).toEqual(["request", "held", "abandoned"]);
    expect(model.held).toBe(0);
  });

  test("match picks the first response that accepts the request; fn computes from it", async () => {
    await using model = await startScriptedModel({
      responses: [
        { match: (body) => (body as { who: string }).who === "b", items: [message("for b")] },
        { fn: (body) => ({ items: [message(`hello ${(body as { who: string }).who}`)] }) },
      ],
    });
    expect(await (await call(model.url, { who: "a" })).text()).toContain("hello a");
    expect(await (await call(model.url, { who: "b" })).text()).toContain("for b");
    expect(model.pending).toBe(0);
  });

  test("the fallback answers what nothing is scripted for", async () => {
    await using model = await startScriptedModel({ fallback: { items: [message("again")] } });
    expect(await (await call(model.url)).text()).toContain("again");
    expect(await (await call(model.url)).text()).toContain("again");
    expect(model.errors).toEqual([]);
  });

  test("lists no models and knows no other paths", async () => {
    await using model = await startScriptedModel();
    expect(await (await fetch(`${model.url}/models`)).json()).toEqual({ object: "list", data: [], models: [] });
    expect((await fetch(`${model.url}/chat`)).status).toBe(404);
  });

  test("an address in use is one error", async () => {
    await using model = await startScriptedModel();
    await expect(startScriptedModel({ port: model.port })).rejects.toThrow("EADDRINUSE");
  });
});
