/**
 * Every message of the exec-server's protocol is validated where it enters, at the server and at our client. Each
 * validator is needed: with any one of them switched off, the walk finds the boundary that it stood at.
 */
import { ExecMethods } from "@turnkit/protocol/exec";
import type { SchemaName } from "@turnkit/protocol/validate";
import { createInMemoryPair, InvalidResultError, Peer, RpcError, type Transport } from "@turnkit/rpc";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Boundary, entries, inTime, rejection, silent, walk } from "../../protocol/test/validators/boundary.js";
import { samplesOf } from "../../protocol/test/validators/complaints.js";
import { isAbout, oneBreakage } from "../../protocol/test/validators/one-breakage.js";
import { Link } from "../src/client/link.js";
import { ExecServer } from "../src/server/exec-server.js";

vi.mock("../../protocol/src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});

interface Names {
  readonly params: SchemaName;
  readonly result: SchemaName;
}
const methods = entries<Names>(ExecMethods.clientRequests);
const session = { clientName: "test", resumeSessionId: null };

/** A client that sends whatever it is given. */
function unchecked(transport: Transport): Peer {
  return new Peer(transport, { serves: () => undefined, onRequest: () => undefined });
}

const server = new ExecServer({
  concurrentRequests: 1,
  environment: {},
  environmentInfo: () => ({
    shell: { name: "sh", path: "/bin/sh" },
    cwd: "file:///",
    tempDir: "file:///tmp",
    capabilities: { processResize: true, processCloseStdin: true },
  }),
  homeDirectory: "/nonexistent",
});
let client: Peer;

function connect(): Peer {
  const [near, far] = createInMemoryPair();
  server.accept(far, "in-memory message");
  return unchecked(near);
}

beforeAll(async () => {
  client = connect();
  await client.request("initialize", session);
  client.notify("initialized", {});
});

afterAll(() => server[Symbol.asyncDispose]());

const params: Boundary[] = methods.map(([method, names]) => ({
  place: `${method} params`,
  schema: names.params,
  async complaint() {
    const breakage = oneBreakage(names.params);
    const sender = method === "initialize" ? connect() : client;
    const error = await rejection(sender.request(method, breakage.value));
    if (!(error instanceof RpcError) || error.code !== -32602) return `replied ${String(error)}`;
    return isAbout(error.message, "params", breakage) ? undefined : `said "${error.message}" of "${breakage.path}"`;
  },
}));

/** Our client's connection, initialized by a server that answers what it is told to. */
async function connected(
  answers: Readonly<Record<string, unknown>>,
  heard: (params: unknown) => void = () => {},
): Promise<{ link: Promise<Link>; far: Peer }> {
  const [near, theirs] = createInMemoryPair();
  const known = { initialize: samplesOf("ExecInitializeResponse", 1).valid[0], ...answers };
  const anything = { params: () => [], result: () => [] };
  const far = new Peer(theirs, {
    serves: () => anything,
    hears: () => anything.params,
    onRequest: ({ method }) => known[method as "initialize"],
  });
  const listener = { notification: (_method: string, value: unknown) => heard(value), closed: () => {} };
  const link = Link.open(near, { name: "test", resumeSessionId: undefined }, listener);
  return { link, far };
}

const results: Boundary[] = methods.map(([method, names]) => ({
  place: `${method} result`,
  schema: names.result,
  async complaint() {
    const breakage = oneBreakage(names.result);
    const { link } = await connected({ [method]: breakage.value });
    const error = await rejection(
      method === "initialize" ? link : link.then((open) => open.request(method, samplesOf(names.params, 1).valid[0])),
    );
    if (!(error instanceof InvalidResultError)) return String(error);
    return error.path === breakage.path ? undefined : error.message;
  },
}));

/** Invalid news are dropped: the one after it is the first that is heard. */
const notifications: Boundary[] = entries(ExecMethods.serverNotifications).map(([method, names]) => ({
  place: `${method} params`,
  schema: names.params,
  async complaint() {
    const heard: unknown[] = [];
    let end: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { link, far } = await connected({}, (value) => {
      heard.push(value);
      if ((value as { processId?: unknown } | null)?.processId === "end") end();
    });
    await link;
    far.notify(method, oneBreakage(names.params).value);
    far.notify("process/closed", { processId: "end", seq: 1 });
    if ((await inTime(done)) === silent) return "heard nothing";
    return heard.length === 1 ? undefined : `heard ${JSON.stringify(heard)}`;
  },
}));

walk("requests to the server", params);
walk("results at the client", results);
walk("notifications to the client", notifications);

test("invalid messages have left nothing behind", async () => {
  const before = server.sessionCount;
  for (const { complaint } of params) await complaint();
  expect(server.sessionCount).toBe(before);
});
