/**
 * Every message of the app protocol that reaches the server, and every result that leaves it, is validated. Each
 * validator is needed: with any one of them switched off, the walk finds the boundary that it stood at.
 */
import { AppMethods } from "@turnkit/protocol/app";
import { createInMemoryPair, InvalidResultError } from "@turnkit/rpc";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Boundary, entries, inTime, rejection, silent, walk } from "../../protocol/test/validators/boundary.js";
import { samplesOf } from "../../protocol/test/validators/complaints.js";
import { isAbout, oneBreakage } from "../../protocol/test/validators/one-breakage.js";
import { Connection } from "../src/connection/connection.js";
import { loadMethodTable } from "../src/connection/method-table.js";
import { createInProcessAppServer, type InProcessAppServer } from "../src/in-process.js";
import { FakeHost } from "./fake-host.js";
import { type Message, RawClient } from "./raw-client.js";

vi.mock("../../protocol/src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});

const host = new FakeHost();
let app: InProcessAppServer;
let raw: RawClient;

beforeAll(async () => {
  await loadMethodTable();
  app = createInProcessAppServer({ home: "/nonexistent", host: async () => host.host });
  raw = new RawClient(app.transport);
  await raw.hello();
});

afterAll(() => app.close());

/** The whole server: a request with invalid params has one reply, an error that names the place. */
const params: Boundary[] = entries(AppMethods.clientRequests).map(([method, names]) => ({
  place: `${method} params`,
  schema: names.params,
  async complaint() {
    const breakage = oneBreakage(names.params);
    const client = method === "initialize" ? new RawClient(app.connect()) : raw;
    const before = client.seen.length;
    const reply = await inTime(client.request(method, breakage.value));
    if (reply === silent) return "no reply";
    const { code, message = "" } = reply.error ?? {};
    const lead = "Invalid request: ";
    if (code !== -32600 || !message.startsWith(lead)) return `replied ${JSON.stringify(reply)}`;
    if (!isAbout(message.slice(lead.length), "params", breakage)) return `said "${message}" of "${breakage.path}"`;
    const replies = client.seen.slice(before).filter(({ id }: Message) => id === reply.id);
    return replies.length === 1 ? undefined : `${replies.length} replies`;
  },
}));

/** A server's connection whose handlers answer what they are told to; the client's end is raw. */
async function connected(
  answer: unknown,
  log: (line: string) => void = () => {},
): Promise<{ connection: Connection; client: RawClient }> {
  const [near, far] = createInMemoryPair();
  const connection = new Connection(near, {
    route: async () => answer,
    initialize: async () => ({ userAgent: "", codexHome: "/", platformFamily: "unix", platformOs: "linux" }),
    onClose: () => {},
    log,
    limits: { requestsInFlight: 100, unsentBytes: null },
  });
  const client = new RawClient(far);
  await client.hello();
  return { connection, client };
}

/** What our own handlers answer does not leave the server when it is invalid. */
const results: Boundary[] = entries(AppMethods.clientRequests)
  .filter(([method]) => method !== "initialize")
  .map(([method, names]) => ({
    place: `${method} result`,
    schema: names.result,
    async complaint() {
      const breakage = oneBreakage(names.result);
      const { client } = await connected(breakage.value);
      const reply = await inTime(client.request(method, samplesOf(names.params, 1).valid[0]));
      if (reply === silent) return "no reply";
      const { code, message = "" } = reply.error ?? {};
      const lead = "failed to serialize response: ";
      if (code !== -32603 || !message.startsWith(lead)) return `replied ${JSON.stringify(reply)}`;
      return isAbout(message.slice(lead.length), "result", breakage) ? undefined : `said "${message}"`;
    },
  }));

/** What clients answer to the server's requests. */
const answers: Boundary[] = entries(AppMethods.serverRequests).map(([method, { result }]) => ({
  place: `${method} result`,
  schema: result,
  async complaint() {
    const breakage = oneBreakage(result);
    const { connection, client } = await connected({});
    const reply = rejection(connection.request(method, {}, { id: 7 }));
    await client.until((message) => message.method === method);
    client.send({ id: 7, result: breakage.value });
    const error = await reply;
    if (!(error instanceof InvalidResultError)) return String(error);
    return error.path === breakage.path ? undefined : error.message;
  },
}));

const notifications: Boundary[] = entries(AppMethods.clientNotifications).map(([method, names]) => ({
  place: `${method} params`,
  schema: names.params,
  async complaint() {
    const lines: string[] = [];
    const { client } = await connected({}, (line) => lines.push(line));
    client.send({ method, params: oneBreakage(names.params).value });
    // Messages are taken in order: the reply to a later request says that the notification has been seen.
    await client.request("thread/loaded/list", {});
    return lines.join() === `ignored invalid notification ${method}` ? undefined : `logged "${lines.join()}"`;
  },
}));

walk("requests to the server", params);
walk("results from our handlers", results);
walk("answers to the server's requests", answers);
walk("notifications to the server", notifications);

test("invalid messages have left nothing behind", async () => {
  const loaded = () => raw.request("thread/loaded/list", {}).then(({ result }) => result);
  const before = { sessions: host.sessions.length, loaded: await loaded() };
  for (const { complaint } of params) await complaint();
  expect({ sessions: host.sessions.length, loaded: await loaded() }).toEqual(before);
});
