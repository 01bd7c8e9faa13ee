/**
 * Many threads and clients at once: every notification arrives once and in order, and random disconnects hurt nobody.
 * Sessions are made by hand, so that only the server is measured.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createInProcessAppServer } from "../src/in-process.js";
import { FakeHost, type FakeSession } from "./fake-host.js";
import { RawClient } from "./raw-client.js";

const soak = process.env.TURNKIT_SOAK === "1";
const threadCount = soak ? 200 : 30;
const clientCount = 20;
const turnsPerThread = soak ? 60 : 5;
const deltasPerTurn = 20;

function runTurn(session: FakeSession, turn: number): void {
  const turn_id = session.activeTurnId as string;
  for (let delta = 0; delta < deltasPerTurn; delta += 1) {
    session.emit({
      type: "agent_message_content_delta",
      thread_id: session.threadId,
      turn_id,
      item_id: "m",
      delta: `${turn}:${delta}`,
    });
  }
  session.complete();
}

it(`${threadCount} threads and ${clientCount} clients lose nothing and mix up nothing`, {
  timeout: 300_000,
}, async () => {
  const host = new FakeHost();
  await using server = createInProcessAppServer({
    home: mkdtempSync(join(tmpdir(), "load-")),
    host: async () => host.host,
  });
  const clients = Array.from(
    { length: clientCount },
    (_, index) => new RawClient(index === 0 ? server.transport : server.connect()),
  );
  await Promise.all(clients.map((client) => client.hello()));
  const owners = await Promise.all(
    Array.from({ length: threadCount }, async (_, index) => {
      const client = clients[index % clientCount] as RawClient;
      const { result } = await client.request("thread/start", {});
      return { client, threadId: result.thread.id as string };
    }),
  );
  const sessions = new Map(host.sessions.map((session) => [session.threadId, session]));
  await Promise.all(
    owners.map(async ({ client, threadId }) => {
      const session = sessions.get(threadId) as FakeSession;
      for (let turn = 0; turn < turnsPerThread; turn += 1) {
        await client.request("turn/start", { threadId, input: [] });
        runTurn(session, turn);
      }
    }),
  );
  for (const { client, threadId } of owners) {
    const last = `turn-${turnsPerThread}`;
    await client.until(
      ({ method, params }) => method === "turn/completed" && params.threadId === threadId && params.turn.id === last,
    );
    const told = client.seen.filter(
      ({ method, params }) => params?.threadId === threadId && method?.startsWith("turn/"),
    );
    expect(told.map(({ method }) => method)).toEqual(
      Array.from({ length: turnsPerThread }, () => ["turn/started", "turn/completed"]).flat(),
    );
    const deltas = client.seen.filter(
      ({ method, params }) => method === "item/agentMessage/delta" && params.threadId === threadId,
    );
    expect(deltas.map(({ params }) => params.delta)).toEqual(
      Array.from(
        { length: turnsPerThread * deltasPerTurn },
        (_, index) => `${Math.floor(index / deltasPerTurn)}:${index % deltasPerTurn}`,
      ),
    );
  }
});

it("questions outlive clients that disconnect at random", { timeout: 120_000 }, async () => {
  const host = new FakeHost();
  await using server = createInProcessAppServer({
    home: mkdtempSync(join(tmpdir(), "chaos-")),
    host: async () => host.host,
  });
  const first = new RawClient(server.transport);
  await first.hello();
  const rounds = soak ? 500 : 40;
  for (let round = 0; round < rounds; round += 1) {
    const { result } = await first.request("thread/start", {});
    const threadId = result.thread.id as string;
    const session = host.sessions.at(-1) as FakeSession;
    const visitors = await Promise.all(
      [0, 1, 2].map(async () => {
        const client = new RawClient(server.connect());
        await client.hello();
        await client.request("thread/resume", { threadId });
        return client;
      }),
    );
    session.startTurn();
    session.ask(`call-${round}`);
    const leaving = visitors[round % 3] as RawClient;
    const answering = visitors[(round + 1) % 3] as RawClient;
    const question = await answering.notification("item/tool/requestUserInput");
    await leaving.transport.close();
    answering.send({ id: question.id, result: { answers: { q: { answers: [String(round)] } } } });
    await first.until(({ method, params }) => method === "serverRequest/resolved" && params.threadId === threadId);
    expect(session.answers.map(({ response }) => response.answers.q?.answers)).toEqual([[String(round)]]);
    session.complete();
    await first.until(({ method, params }) => method === "turn/completed" && params.threadId === threadId);
    await Promise.all(visitors.map((client) => client.transport.close()));
  }
});
