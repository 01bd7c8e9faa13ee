/**
 * A program of somebody who has installed core, rpc and exec-server and nothing else of this repository: an exec-server
 * on a real socket, a session whose processes run there, a model that calls a command and then writes into its terminal.
 * Prints what it found as one JSON object.
 */
import { createSession, type SessionEvent } from "@turnkit/core";
import { FakeModel, items, say, toolCall } from "@turnkit/core/testing";
import { execClientOver } from "@turnkit/exec-server";
import { ExecServer, listen } from "@turnkit/exec-server/server";
import type { TurnInputRequest } from "@turnkit/protocol";
import { connectWebSocket } from "@turnkit/rpc/websocket";

const server = new ExecServer({
  concurrentRequests: 16,
  environment: process.env,
  environmentInfo: () => ({ shell: { name: "bash", path: "/bin/bash" }, cwd: "file:///tmp", tempDir: "file:///tmp" }),
  homeDirectory: "/nonexistent",
});
const listener = await listen(server, { kind: "tcp", host: "127.0.0.1", port: 0 }, undefined);
const transport = await connectWebSocket(listener.url as string);
const processHost = await execClientOver(transport);

const model = new FakeModel(
  items(
    toolCall("exec_command", { cmd: "echo from $((40 + 2)); cat", tty: true, login: false, yield_time_ms: 500 }, "run"),
  ),
  (request, signal) => {
    const id = /session ID (\d+)/.exec(JSON.stringify(request.input))?.[1];
    const input = { session_id: Number(id), chars: "typed\n\u0004", yield_time_ms: 5000 };
    return items(toolCall("write_stdin", input, "type"))(request, signal);
  },
  say("done"),
);
const session = await createSession({
  modelClient: model,
  processHost,
  settings: {
    model: "gpt-5.4",
    model_provider_id: "fake",
    cwd: process.cwd(),
    approval_policy: "never",
    sandbox_policy: { type: "danger-full-access" },
    collaboration_mode: { mode: "default", settings: { model: "gpt-5.4" } },
  },
});
const seen: SessionEvent[] = [];
const ended = new Promise<void>((resolve) => {
  session.subscribe((event) => {
    seen.push(event);
    if (event.msg.type === "task_complete") resolve();
  });
});

// @ts-expect-error: input is one of several kinds.
const wrong: TurnInputRequest = { input: "text" };
const request: TurnInputRequest = {
  input: { UserInput: { content: [{ type: "text", text: "go", text_elements: [] }], client_id: null } },
};
const refused = await session.submit(wrong, "StartOrSteer").then(
  () => "nothing",
  (error: Error) => error.message,
);
const submitted = await session.submit(request, "StartOrSteer");
await ended;
const output = String(model.outputOf("run")) + String(model.outputOf("type"));
await session.shutdown();
await processHost[Symbol.asyncDispose]();
await server[Symbol.asyncDispose]();
await listener.close();

console.log(
  JSON.stringify({
    refused,
    started: "Started" in submitted,
    command: output.includes("from 42"),
    typed: output.includes("typed"),
    exited: /exited with code 0/.test(output),
    over: new URL(listener.url as string).protocol,
    begun: seen.filter(({ msg }) => msg.type === "exec_command_begin").length,
    last: seen.at(-1)?.msg.type,
  }),
);
