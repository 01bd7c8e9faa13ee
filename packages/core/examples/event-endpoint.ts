/**
 * A session behind HTTP: `POST /turns` with the text of a message answers what was decided; `GET /events` streams
 * every event as Server-Sent Events; `POST /answers/TURN` answers a question; `POST /interrupt` stops.
 *
 *     PORT=8080 TURNKIT_BASE_URL=http://127.0.0.1:11434/v1 TURNKIT_MODEL=NAME node event-endpoint.js
 */
import { createServer, type IncomingMessage } from "node:http";
import { createResponsesClient, createSession, InvalidRequestError, OPENAI_PROVIDER } from "@turnkit/core";
import { assertValid, ValidationError } from "@turnkit/protocol/validate";

const { TURNKIT_BASE_URL: baseUrl, TURNKIT_MODEL: model = "gpt-5", PORT = "0" } = process.env;
const provider = baseUrl ? { ...OPENAI_PROVIDER, id: "local", baseUrl, envKey: undefined } : OPENAI_PROVIDER;

const session = await createSession({
  modelClient: createResponsesClient({ provider, environment: process.env, userAgent: "event-endpoint" }),
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const [, place, id = ""] = pathname.split("/");
  try {
    if (request.method === "GET" && place === "events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      const closed = new AbortController();
      response.once("close", () => closed.abort());
      for await (const event of session.events({ signal: closed.signal }))
        response.write(`event: ${event.msg.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
      return;
    }
    let result: unknown = {};
    if (request.method === "POST" && place === "turns") {
      const content = [{ type: "text" as const, text: await bodyOf(request) }];
      result = await session.submit({ input: { UserInput: { content, client_id: null } } }, "StartOrSteer");
    } else if (request.method === "POST" && place === "answers")
      session.answer(id, assertValid("RequestUserInputResponse", JSON.parse(await bodyOf(request)), "body"));
    else if (request.method === "POST" && place === "interrupt") await session.interrupt();
    else response.statusCode = 404;
    response.setHeader("content-type", "application/json").end(JSON.stringify(result));
  } catch (error) {
    const bad =
      error instanceof InvalidRequestError || error instanceof ValidationError || error instanceof SyntaxError;
    response.statusCode = bad ? 400 : 500;
    response.end(JSON.stringify({ error: (error as Error).message }));
  }
});

server.listen(Number(PORT), "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
