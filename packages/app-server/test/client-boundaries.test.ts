/**
 * Every message of the app protocol that reaches a client of ours is validated. Each validator is needed: with any one
 * of them switched off, the walk finds the boundary that it stood at.
 */
import { AppMethods } from "@turnkit/protocol/app";
import { createInMemoryPair, InvalidResultError, type PeerProblem } from "@turnkit/rpc";
import { vi } from "vitest";
import { type Boundary, entries, inTime, rejection, silent, walk } from "../../protocol/test/validators/boundary.js";
import { samplesOf } from "../../protocol/test/validators/complaints.js";
import { isAbout, oneBreakage } from "../../protocol/test/validators/one-breakage.js";
import { AppClient, type AppClientOptions } from "../src/client/app-client.js";
import { RawClient } from "./raw-client.js";

vi.mock("../../protocol/src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});

/** Our client, and the raw end of its connection. */
function connected(options: AppClientOptions = {}): { client: AppClient; server: RawClient } {
  const [near, far] = createInMemoryPair();
  return { client: new AppClient(near, options), server: new RawClient(far) };
}

const results: Boundary[] = entries(AppMethods.clientRequests).map(([method, { result }]) => ({
  place: `${method} result`,
  schema: result,
  async complaint() {
    const breakage = oneBreakage(result);
    const { client, server } = connected();
    const reply = rejection(client.request(method as "thread/start", {}));
    const { id } = await server.until((message) => message.method === method);
    server.send({ id, result: breakage.value });
    const error = await reply;
    if (!(error instanceof InvalidResultError)) return String(error);
    return error.path === breakage.path ? undefined : error.message;
  },
}));

const requests: Boundary[] = entries(AppMethods.serverRequests).map(([method, { params }]) => ({
  place: `${method} params`,
  schema: params,
  async complaint() {
    const breakage = oneBreakage(params);
    let called = false;
    const handler = () => {
      called = true;
      return {};
    };
    const { server } = connected({ requests: { [method]: handler } });
    const reply = await inTime(server.request(method, breakage.value));
    if (reply === silent) return "no reply";
    if (called) return "the handler was called";
    const { code, message = "" } = reply.error ?? {};
    return code === -32602 && isAbout(message, "params", breakage) ? undefined : `replied ${JSON.stringify(reply)}`;
  },
}));

/** What our own handlers answer does not leave the client when it is invalid. */
const ownAnswers: Boundary[] = entries(AppMethods.serverRequests).map(([method, { params, result }]) => ({
  place: `${method} result`,
  schema: result,
  async complaint() {
    const breakage = oneBreakage(result);
    const { server } = connected({ requests: { [method]: () => breakage.value as never } });
    const reply = await inTime(server.request(method, samplesOf(params, 1).valid[0]));
    if (reply === silent) return "no reply";
    const { code, message = "" } = reply.error ?? {};
    const lead = "failed to serialize response: ";
    if (code !== -32603 || !message.startsWith(lead)) return `replied ${JSON.stringify(reply)}`;
    return isAbout(message.slice(lead.length), "result", breakage) ? undefined : `said "${message}"`;
  },
}));

const notifications: Boundary[] = entries(AppMethods.serverNotifications).map(([method, { params }]) => ({
  place: `${method} params`,
  schema: params,
  async complaint() {
    const breakage = oneBreakage(params);
    const outcome = new Promise<PeerProblem | string>((resolve) => {
      const { server } = connected({
        onProblem: resolve,
        onNotification: (heard) => resolve(`heard ${JSON.stringify(heard)}`),
      });
      server.send({ method, params: breakage.value });
    });
    const problem = await outcome;
    if (typeof problem === "string") return problem;
    if (problem.kind !== "invalidNotification") return problem.kind;
    const [issue, ...more] = problem.issues;
    return issue?.path === breakage.path && more.length === 0 ? undefined : JSON.stringify(problem);
  },
}));

walk("results at the client", results);
walk("requests to the client", requests);
walk("answers from the client", ownAnswers);
walk("notifications to the client", notifications);
