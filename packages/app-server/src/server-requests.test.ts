import { ConnectionClosedError, type RequestId, RpcError } from "@turnkit/rpc";
import { describe, expect, it } from "vitest";
import { type Asker, type Outcome, ServerRequests } from "./server-requests.js";

class FakeAsker implements Asker {
  readonly sent: { method: string; params: unknown; id: RequestId }[] = [];
  readonly #waiting = new Map<RequestId, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

  request(method: string, params: unknown, { id }: { id: RequestId }): Promise<unknown> {
    this.sent.push({ method, params, id });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  abandon(id: RequestId, error: Error): boolean {
    return this.#take(id, (waiting) => waiting.reject(error));
  }

  answer(id: RequestId, result: unknown): boolean {
    return this.#take(id, (waiting) => waiting.resolve(result));
  }

  fail(id: RequestId, error: Error): boolean {
    return this.#take(id, (waiting) => waiting.reject(error));
  }

  #take(id: RequestId, settle: (waiting: { resolve: (v: unknown) => void; reject: (e: Error) => void }) => void) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) settle(waiting);
    return waiting !== undefined;
  }
}

const settledMicrotasks = () => new Promise<void>((resolve) => setImmediate(resolve));

function ask(requests: ServerRequests, askers: Asker[], threadId = "t") {
  const outcomes: Outcome[] = [];
  const id = requests.ask(
    { threadId, method: "m", params: { q: 1 }, settled: (outcome) => outcomes.push(outcome) },
    askers,
  );
  return { id, outcomes };
}

describe("server requests", () => {
  it("counts from 0 across threads", () => {
    const requests = new ServerRequests();
    expect([ask(requests, [], "a").id, ask(requests, [], "b").id]).toEqual([0, 1]);
  });

  it("asks every subscriber with one id; the first answer wins and the others stop waiting", async () => {
    const [one, two] = [new FakeAsker(), new FakeAsker()];
    const requests = new ServerRequests();
    const { id, outcomes } = ask(requests, [one, two]);
    expect([one.sent, two.sent]).toEqual([
      [{ method: "m", params: { q: 1 }, id }],
      [{ method: "m", params: { q: 1 }, id }],
    ]);
    two.answer(id, "first");
    await settledMicrotasks();
    expect(one.answer(id, "second")).toBe(false);
    expect(outcomes).toEqual([{ kind: "answered", result: "first" }]);
    expect(requests.size).toBe(0);
  });

  it("takes an error reply as the client's failure, whatever its data claims", async () => {
    const asker = new FakeAsker();
    const { id, outcomes } = ask(new ServerRequests(), [asker]);
    asker.fail(id, new RpcError(-1, "gone", { reason: "turnTransition" }));
    await settledMicrotasks();
    expect(outcomes).toEqual([{ kind: "clientFailed", reason: "gone" }]);
  });

  it("keeps the question when the client disconnects and repeats it to the next one", async () => {
    const [one, two] = [new FakeAsker(), new FakeAsker()];
    const requests = new ServerRequests();
    const { id, outcomes } = ask(requests, [one]);
    one.fail(id, new ConnectionClosedError("gone"));
    await settledMicrotasks();
    expect(outcomes).toEqual([]);
    requests.replay("other thread", two);
    expect(two.sent).toEqual([]);
    requests.replay("t", two);
    two.answer(id, "late but first");
    await settledMicrotasks();
    expect(outcomes).toEqual([{ kind: "answered", result: "late but first" }]);
  });

  it("repeats a question to the same client under the same id, answered once", async () => {
    const asker = new FakeAsker();
    const requests = new ServerRequests();
    const { id, outcomes } = ask(requests, [asker]);
    requests.replay("t", asker);
    expect(asker.sent.map((sent) => sent.id)).toEqual([id, id]);
    asker.answer(id, "x");
    await settledMicrotasks();
    expect(outcomes).toEqual([{ kind: "answered", result: "x" }]);
  });

  it("ends the thread's questions in order when its turn moves on", async () => {
    const asker = new FakeAsker();
    const requests = new ServerRequests();
    const first = ask(requests, [asker], "a");
    const other = ask(requests, [asker], "b");
    const second = ask(requests, [], "a");
    expect(requests.turnMovedOn("a")).toEqual([first.id, second.id]);
    await settledMicrotasks();
    expect([first.outcomes, second.outcomes, other.outcomes]).toEqual([
      [{ kind: "turnTransition" }],
      [{ kind: "turnTransition" }],
      [],
    ]);
  });
});
