// @ts-check
// An instant model for agents that do not speak the Responses API: chat completions and generateContent on loopback.
// It says `done` to everything and checks nothing.
import { createServer } from "node:http";

const said = "done";
const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const chat = [
  { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: said }, finish_reason: null }] },
  {
    ...chunk,
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
];
const generated = {
  candidates: [{ content: { role: "model", parts: [{ text: said }] }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: "m",
};

/** @returns {Promise<{ url: string, close: () => Promise<void> }>} `url` has no slash at its end */
export async function startRivalEndpoint() {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const events = request.url?.includes("/chat/completions") ? chat : [generated];
      if (/completions|streamGenerateContent/.test(request.url ?? "")) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
        response.end(events === chat ? "data: [DONE]\n\n" : undefined);
      } else if (request.url?.includes("generateContent")) {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(generated));
      } else response.writeHead(404).end("{}");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
