/** A session for tests: a model without a server, no processes, no disk. */
import type { EventMsg, TurnInputRequest, UserInput } from "@turnkit/protocol";
import type { Logger } from "@turnkit/tools";
import { createSession, type SessionOptions } from "../src/index.js";
import { FakeModel, type FakeReply, items, toolCall } from "../src/testing/index.js";

export const question = { id: "q", header: "H", question: "Q?", options: [{ label: "Yes", description: "d" }] };
export const ask = (callId = "ask") => items(toolCall("request_user_input", { questions: [question] }, callId));
export const PLAN = {
  mode: "plan" as const,
  settings: { model: "gpt-5", reasoning_effort: null, developer_instructions: null },
};

export function request(
  text: string | readonly UserInput[],
  changes: Partial<TurnInputRequest> = {},
): TurnInputRequest {
  const content = typeof text === "string" ? [{ type: "text" as const, text, text_elements: [] }] : [...text];
  return { input: { UserInput: { content, client_id: null } }, ...changes };
}

export async function start(replies: readonly FakeReply[], options: Partial<SessionOptions> = {}) {
  const model = new FakeModel(...replies);
  const warnings: string[] = [];
  const told: string[] = [];
  const logger: Logger = { warn: (message) => warnings.push(message), info: (message) => told.push(message) };
  const session = await createSession({
    modelClient: model,
    logger,
    settings: {
      model: "gpt-5",
      model_provider_id: "p",
      cwd: "/",
      approval_policy: "never",
      sandbox_policy: { type: "danger-full-access" },
      collaboration_mode: { ...PLAN, mode: "default" },
    },
    ...options,
  });
  const events: EventMsg[] = [];
  session.subscribe(({ msg }) => events.push(msg));
  const next = <Kind extends EventMsg["type"]>(kind: Kind, count = 1) =>
    new Promise<Extract<EventMsg, { type: Kind }>>((resolve) => {
      const look = () => {
        const found = events.filter((event) => event.type === kind)[count - 1];
        if (found) {
          unsubscribe();
          resolve(found as never);
        }
      };
      const unsubscribe = session.subscribe(look);
      look();
    });
  const say_ = (text: string, changes: Partial<TurnInputRequest> = {}) =>
    session.submit(request(text, changes), "StartOrSteer");
  return { session, model, events, next, say: say_, warnings, told };
}

export const types = (events: readonly EventMsg[]) => events.map((event) => event.type);
export const plan = { thread_settings: { collaboration_mode: PLAN } };
export const idOf = (submission: object) => Object.values(submission)[0].turn_id as string;
