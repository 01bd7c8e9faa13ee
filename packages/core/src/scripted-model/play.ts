/**
 * Sends one scripted response over HTTP. Owns pacing and the event-stream framing.
 * Events without a pause between them leave in one write.
 */
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { responseSteps } from "./response-steps.js";
import type { ScriptedResponse } from "./scripted-response.js";

export function sendJson(
  http: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  http.writeHead(status, { "content-type": "application/json", ...headers });
  http.end(text);
}

/** `hold` resolves false when the client has hung up; playing then stops. */
export async function play(
  http: ServerResponse,
  response: ScriptedResponse,
  requestNumber: number,
  hold: () => Promise<boolean>,
): Promise<void> {
  if (response.delayMs) await delay(response.delayMs);
  if (response.hold && !(await hold())) return;
  if (http.destroyed) return;
  if (response.status !== undefined && response.status >= 400) {
    const fallback = { error: { message: "scripted error", type: "scripted_error", code: "scripted_error" } };
    sendJson(http, response.status, response.errorBody ?? fallback, response.headers);
    return;
  }
  http.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...response.headers });
  let pending = "";
  let sequence = 0;
  const flush = (): void => {
    if (pending !== "") http.write(pending);
    pending = "";
  };
  for (const step of responseSteps(response, requestNumber)) {
    switch (step.kind) {
      case "event": {
        const data = JSON.stringify({ type: step.type, sequence_number: sequence++, ...step.fields });
        pending += `event: ${step.type}\ndata: ${data}\n\n`;
        break;
      }
      case "pause":
        flush();
        await delay(step.ms);
        break;
      case "hold":
        flush();
        if (!(await hold())) return;
        break;
      case "cut":
        flush();
        // Destroying at once would drop bytes the kernel has not taken yet.
        http.socket?.destroySoon();
        return;
    }
    if (http.destroyed) return;
  }
  http.end(pending);
}
