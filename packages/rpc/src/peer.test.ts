import { describe, expect, test, vi } from "vitest";
import {
  ConnectionClosedError,
  createInMemoryPair,
  InvalidResultError,
  type MethodValidators,
  Peer,
  type PeerOptions,
  type PeerProblem,
  RpcError,
  type Validator,
} from "./index.js";

const anything: Validator = () => [];
const text: Validator = (value) => (typeof value === "string" ? [] : [{ path: "", message: "must be string" }]);
const named: Validator = (value) =>
  typeof (value as { name?: unknown } | undefined)?.name === "string"
    ? []
    : [{ path: "name", message: "must be string" }];
const table: Record<string, MethodValidators> = {
  echo: { params: text, result: text },
  greet: { params: named, result: text },
  wrong: { params: anything, result: text },
  wait: { params: anything, result: anything },
};
const lookup = (method: string) => table[method];

function pair(server: Partial<PeerOptions> = {}, client: Partial<PeerOptions> = {}) {
  const [left, right] = createInMemoryPair();
  const problems: PeerProblem[] = [];
  const serving = new Peer(left, {
    serves: lookup,
    onRequest: ({ method, params }) => (method === "wrong" ? 5 : params),
    onProblem: (problem) => problems.push(problem),
    ...server,
  });
  const asking = new Peer(right, { serves: () => undefined, calls: lookup, onRequest: () => null, ...client });
  return { serving, asking, problems, raw: right };
}

describe("requests", () => {
  test("are answered, from both sides at once", async () => {
    const { serving, asking } = pair({ calls: lookup }, { serves: lookup, onRequest: () => "from the client" });
    await expect(Promise.all([asking.request("echo", "a"), serving.request("echo", "b")])).resolves.toEqual([
      "a",
      "from the client",
    ]);
  });

  test("replies may come in any order", async () => {
    const release: (() => void)[] = [];
    const { asking } = pair({
      onRequest: ({ params }) => new Promise((resolve) => release.push(() => resolve(params))),
    });
    const both = [asking.request("wait", 1), asking.request("wait", 2)];
    await vi.waitFor(() => expect(release).toHaveLength(2));
    for (const go of release.reverse()) go();
    await expect(Promise.all(both)).resolves.toEqual([1, 2]);
  });

  test("invalid params never reach the handler and name the path", async () => {
    const onRequest = vi.fn();
    const { asking } = pair({ onRequest });
    await expect(asking.request("greet", {})).rejects.toEqual(new RpcError(-32602, "params.name must be string"));
    expect(onRequest).not.toHaveBeenCalled();
  });

  test("a result of the wrong type is not sent", async () => {
    const { asking } = pair();
    await expect(asking.request("wrong")).rejects.toEqual(
      new RpcError(-32603, "failed to serialize response: result must be string"),
    );
  });

  test("a result of the wrong type is not believed", async () => {
    const { asking } = pair({ serves: () => ({ params: anything, result: anything }), onRequest: () => 5 });
    await expect(asking.request("echo", "x")).rejects.toBeInstanceOf(InvalidResultError);
  });

  test("an unknown method and a failing handler become error replies", async () => {
    const { asking } = pair({
      unknownMethod: (method) => new RpcError(-32600, `Invalid request: ${method}`),
      onRequest: () => {
        throw new TypeError("broken");
      },
    });
    await expect(asking.request("nope")).rejects.toEqual(new RpcError(-32600, "Invalid request: nope"));
    await expect(asking.request("echo", "x")).rejects.toEqual(new RpcError(-32603, "broken"));
  });

  test("an aborted request rejects with the reason and its late reply is a stray", async () => {
    const problems: PeerProblem[] = [];
    let answer: (() => void) | undefined;
    const { asking } = pair(
      { onRequest: () => new Promise((resolve) => (answer = () => resolve(1))) },
      { onProblem: (problem) => problems.push(problem) },
    );
    const controller = new AbortController();
    const pending = asking.request("wait", null, { signal: controller.signal });
    await vi.waitFor(() => expect(answer).toBeDefined());
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    answer?.();
    await vi.waitFor(() => expect(problems).toEqual([{ kind: "strayReply", id: 0 }]));
  });

  test("a close rejects what is waiting, aborts what is running, and nothing is answered after it", async () => {
    let signal: AbortSignal | undefined;
    const { asking, serving } = pair({
      onRequest: (request) => {
        signal = request.signal;
        return new Promise(() => {});
      },
    });
    const pending = asking.request("wait");
    await vi.waitFor(() => expect(signal).toBeDefined());
    await serving.close(undefined, "gone");
    await expect(pending).rejects.toEqual(new ConnectionClosedError("gone"));
    expect(signal?.aborted).toBe(true);
    await expect(asking.request("wait")).rejects.toBeInstanceOf(ConnectionClosedError);
  });
});

test("answered() waits for the replies to everything that came, and for nothing once the connection is over", async () => {
  const release: (() => void)[] = [];
  const { asking, serving } = pair({
    onRequest: ({ params }) => new Promise((resolve) => release.push(() => resolve(params))),
  });
  await serving.answered();
  const replies = [asking.request("wait", 1), asking.request("wait", 2)];
  await vi.waitFor(() => expect(release).toHaveLength(2));
  let answered = false;
  const waiting = serving.answered().then(() => {
    answered = true;
  });
  release[1]?.();
  await replies[1];
  expect(answered).toBe(false);
  release[0]?.();
  await Promise.all([waiting, replies[0]]);
  const lost = asking.request("wait", 3);
  await vi.waitFor(() => expect(release).toHaveLength(3));
  const over = serving.answered();
  await serving.close();
  await over;
  await expect(lost).rejects.toBeInstanceOf(ConnectionClosedError);
});

test("problems are reported and the connection lives on", async () => {
  const { asking, problems, raw } = pair({ hears: (method) => (method === "known" ? text : undefined) });
  raw.send("not json");
  raw.send('{"method":"unknown"}');
  raw.send('{"method":"known","params":1}');
  raw.send('{"id":77,"result":{}}');
  await expect(asking.request("echo", "still here")).resolves.toBe("still here");
  expect(problems.map((problem) => problem.kind)).toEqual([
    "malformed",
    "unknownNotification",
    "invalidNotification",
    "strayReply",
  ]);
});
