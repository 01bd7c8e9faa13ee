/**
 * A chat in a terminal with nothing but the session engine: your model, no commands, no server.
 *
 *     TURNKIT_BASE_URL=http://127.0.0.1:11434/v1 TURNKIT_MODEL=NAME node terminal-chat.js
 */
import { createInterface } from "node:readline";
import { createResponsesClient, createSession, OPENAI_PROVIDER } from "@turnkit/core";
import type { RequestUserInputResponse } from "@turnkit/protocol";

const { TURNKIT_BASE_URL: baseUrl, TURNKIT_MODEL: model = "gpt-5" } = process.env;
const provider = baseUrl ? { ...OPENAI_PROVIDER, id: "local", baseUrl, envKey: undefined } : OPENAI_PROVIDER;
const modelClient = createResponsesClient({ provider, environment: process.env, userAgent: "terminal-chat" });

const session = await createSession({
  modelClient,
  features: { defaultModeQuestions: true },
  settings: {
    model,
    model_provider_id: provider.id,
    cwd: process.cwd(),
    approval_policy: "never",
    sandbox_policy: { type: "read-only" },
    collaboration_mode: { mode: "default", settings: { model } },
  },
});

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** undefined: there is no more input. */
async function ask(prompt: string): Promise<string | undefined> {
  process.stdout.write(prompt);
  const { value, done } = await lines.next();
  return done ? undefined : value;
}

/** Submits one message and prints what comes until its turn has ended. */
async function turn(text: string): Promise<void> {
  const events = session.events();
  const following = (async () => {
    for await (const { msg } of events) {
      if (msg.type === "agent_message_content_delta") process.stdout.write(msg.delta);
      if (msg.type === "error") process.stdout.write(`\n! ${msg.message}\n`);
      if (msg.type === "request_user_input") {
        const response: { answers: Record<string, { answers: string[] }> } = { answers: {} };
        for (const { id, question, options } of msg.questions) {
          const choices = (options ?? []).map(({ label }) => label).join(" / ");
          response.answers[id] = { answers: [(await ask(`\n? ${question} (${choices}) `)) ?? ""] };
        }
        session.answer(msg.turn_id, response satisfies RequestUserInputResponse);
      }
      if (msg.type === "task_complete" || msg.type === "turn_aborted") return;
    }
  })();
  await session.submit(
    { input: { UserInput: { content: [{ type: "text", text }], client_id: null } } },
    "StartOrSteer",
  );
  await following;
  process.stdout.write("\n");
}

process.once("SIGINT", () => void session.interrupt());
for (let text = await ask("> "); text !== undefined; text = await ask("> ")) if (text.trim() !== "") await turn(text);
await session.shutdown();
await modelClient[Symbol.asyncDispose]();
