/** A server over fake threads with one raw client, as most tests of it begin. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInProcessAppServer } from "../src/in-process.js";
import { FakeHost, type FakeSession } from "./fake-host.js";
import { RawClient } from "./raw-client.js";

export function start() {
  const host = new FakeHost();
  const log: string[] = [];
  const server = createInProcessAppServer({
    home: mkdtempSync(join(tmpdir(), "app-server-")),
    host: async () => host.host,
    log: (line) => log.push(line),
  });
  const client = new RawClient(server.transport);
  return {
    host,
    log,
    server,
    client,
    another: () => new RawClient(server.connect()),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

export async function withThread() {
  const setup = start();
  await setup.client.hello();
  const { result } = await setup.client.request("thread/start", { cwd: "/proj" });
  await setup.client.notification("thread/started");
  return { ...setup, threadId: result.thread.id as string, session: setup.host.sessions[0] as FakeSession };
}

/** Slow machines: a condition is waited for, not a time. */
export const patience = { timeout: 20_000 };
export const text = (words: string) => [{ type: "text", text: words }];
export const step = () => new Promise<void>((resolve) => setImmediate(resolve));
