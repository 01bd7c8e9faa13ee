/** Submissions that wait for a thread: on disk, in order, sent when it is idle. Real files, a model without a server. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { UserInput } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { QueueDispatcher, QueueRefusal, ThreadQueue } from "../src/queue/index.js";
import { Gate, say } from "../src/testing/index.js";
import { request, start } from "./session-rig.js";

const text = (words: string): UserInput[] => [{ type: "text", text: words, text_elements: [] }];
const THREAD = "01a22ee4-2e95-7c03-b3af-52bce052acc3";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let home: string;
let warnings: string[];
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "turnkit-queue-"));
  warnings = [];
});
afterEach(() => removeFolder(home));

const open = () => new ThreadQueue({ home, threadId: THREAD, warn: (message) => warnings.push(message) });
const folder = () => path.join(home, "queues", THREAD);
const words = async (queue = open()) =>
  (await queue.list()).map(({ content }) => content.map((part) => ("text" in part ? part.text : part.type)).join());

describe("a queue", () => {
  it("keeps what was added, in order, for whoever opens it next", async () => {
    const first = await open().add(text("one"), "client-1");
    await open().add(text("two"), null);
    const rows = await open().list();
    expect(rows[0]).toEqual({ id: first.id, content: text("one"), clientId: "client-1" });
    expect(rows[1]?.clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await words()).toEqual(["one", "two"]);
  });

  it("changes a submission in its place", async () => {
    const queue = open();
    const { id } = await queue.add(text("one"), "c");
    await queue.add(text("two"), "d");
    expect(await queue.update(id, text("uno"))).toEqual({ id, content: text("uno"), clientId: "c" });
    expect(await words()).toEqual(["uno", "two"]);
  });

  it("takes an order, and puts what comes later behind it", async () => {
    const queue = open();
    const ids = [];
    for (const word of ["a", "b", "c"]) ids.push((await queue.add(text(word), word)).id);
    await queue.reorder([ids[2]!, ids[0]!, ids[1]!]);
    await queue.add(text("d"), "d");
    expect(await words()).toEqual(["c", "a", "b", "d"]);
    await queue.remove(ids[0]!);
    expect(await words()).toEqual(["c", "b", "d"]);
  });

  it.each([
    { name: "unknown", order: (ids: string[]) => [...ids, "x"] },
    { name: "missing", order: (ids: string[]) => ids.slice(1) },
    { name: "twice", order: (ids: string[]) => [ids[0]!, ids[0]!] },
    { name: "empty", order: () => [] },
  ])("refuses an order with ids $name and keeps its own", async ({ order }) => {
    const queue = open();
    const ids = [(await queue.add(text("a"), "a")).id, (await queue.add(text("b"), "b")).id];
    await expect(queue.reorder(order(ids))).rejects.toThrow(
      "queue reorder must include every queued submission exactly once",
    );
    expect(await words()).toEqual(["a", "b"]);
  });

  it("takes a hundred and no more, also of several who add at once", async () => {
    const queue = open();
    const outcomes = await Promise.allSettled(Array.from({ length: 103 }, (_, n) => queue.add(text(`${n}`), `${n}`)));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
    await expect(queue.add(text("more"), "m")).rejects.toThrow("queue cannot contain more than 100 submissions");
    expect(await words()).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
  });

  it.each([
    { name: "nothing", content: [], error: "only user input can be added to the user-message queue" },
    {
      name: "too much text",
      content: [...text("a".repeat(1_048_576)), ...text("é")],
      error: "queued user input exceeds the maximum length of 1048576 characters (1048577 provided)",
    },
    {
      name: "an image that is not there",
      content: [{ type: "local_image", path: "/no/such.png" }],
      error: "local queued attachment is invalid: No such file or directory (os error 2)",
    },
    {
      name: "a sound of an unknown kind",
      content: [{ type: "local_audio", path: "/no/such.txt" }],
      error: "local queued attachment is invalid: unsupported audio format",
    },
  ] satisfies { name: string; content: UserInput[]; error: string }[])("refuses $name", async ({ content, error }) => {
    await expect(open().add(content, "c")).rejects.toThrow(error);
    expect(await open().list()).toEqual([]);
  });

  it("keeps the attachment, not its path", async () => {
    const file = path.join(home, "p.png");
    await writeFile(file, PIXEL);
    const { id } = await open().add([{ type: "local_image", path: file }], "c");
    await rm(file);
    expect((await open().get(id)).content).toEqual([
      { type: "image", image_url: `data:image/png;base64,${PIXEL.toString("base64")}` },
    ]);
  });

  it("says that a submission is not there", async () => {
    await expect(open().update("nope", text("x"))).rejects.toThrow("queued submission not found: nope");
    expect(await open().remove("nope")).toBe(false);
    expect(await open().remove("../../config")).toBe(false);
  });

  it("leaves nothing behind once it is empty", async () => {
    const queue = open();
    const ids = [(await queue.add(text("a"), "a")).id, (await queue.add(text("b"), "b")).id];
    await queue.reorder([...ids].reverse());
    for (const id of ids) expect(await queue.remove(id)).toBe(true);
    expect(await readdir(path.join(home, "queues"))).toEqual([]);
  });

  it("puts a file that means nothing aside and goes on", async () => {
    await open().add(text("good"), "g");
    await mkdir(folder(), { recursive: true });
    await writeFile(path.join(folder(), "00000000-broken.json"), '{"UserInput":{"content"');
    await writeFile(path.join(folder(), "00000000-other.json"), '{"ResponseItem":{"type":"other"}}');
    expect(await words()).toEqual(["good"]);
    expect(warnings).toHaveLength(2);
    expect((await readdir(folder())).filter((name) => name.endsWith(".unreadable"))).toHaveLength(2);
  });

  it("says what it cannot read or remove, and keeps it", async () => {
    const queue = open();
    await queue.add(text("a"), "a");
    await mkdir(path.join(folder(), "0-folder.json"));
    expect(await words(queue)).toEqual(["a"]);
    expect(warnings).toEqual([expect.stringMatching(/0-folder\.json cannot be read and waits: EISDIR/)]);
    await expect(queue.remove("0-folder")).rejects.toThrow();
    expect(await queue.remove("0-nothing")).toBe(false);
  });

  it("loses nothing to a second program that adds", async () => {
    const [one, other] = [open(), open()];
    await Promise.all([one.add(text("a"), "a"), other.add(text("b"), "b"), one.add(text("c"), "c")]);
    expect((await words()).sort()).toEqual(["a", "b", "c"]);
  });
});

describe("sending", () => {
  async function dispatching(replies: Parameters<typeof start>[0], held = false) {
    const rig = await start(replies);
    const queue = open();
    let changes = 0;
    const dispatcher = new QueueDispatcher({
      session: rig.session,
      queue,
      held,
      changed: () => {
        changes += 1;
      },
      warn: (message) => warnings.push(message),
    });
    return { ...rig, queue, dispatcher, changes: () => changes };
  }
  const sent = (events: readonly { type: string }[]) =>
    events.flatMap((event) => (event.type === "user_message" ? [(event as { message?: string }).message] : []));

  it("goes on by itself until nothing waits", async () => {
    const gate = new Gate();
    const rig = await dispatching([gate.before(say("a")), say("b"), say("c")]);
    await using _ = rig.session;
    await rig.say("now");
    await gate.reached;
    await rig.queue.add(text("one"), "client-1");
    await rig.queue.add(text("two"), "client-2");
    rig.dispatcher.wake();
    gate.open();
    await rig.next("task_complete", 3);
    expect(sent(rig.events)).toEqual(["now", "one", "two"]);
    expect(rig.events.find((event) => event.type === "user_message" && event.message === "one")).toMatchObject({
      client_id: "client-1",
    });
    await expect.poll(() => rig.changes()).toBe(2);
    expect(await rig.queue.list()).toEqual([]);
  });

  it("sends nothing twice that it cannot take out of the queue", async () => {
    const rig = await dispatching([say("a"), say("b"), say("c")]);
    await using _ = rig.session;
    const { id } = await rig.queue.add(text("one"), "client-1");
    rig.queue.remove = () => Promise.reject(new Error("EACCES"));
    expect(await rig.dispatcher.start(id)).toMatch(/^[0-9a-f-]{36}$/);
    await rig.next("task_complete");
    await rig.say("now");
    await rig.next("task_complete", 2);
    rig.dispatcher.wake();
    await expect.poll(() => warnings).toEqual([expect.stringMatching(/cannot be taken out of the queue.*EACCES/)]);
    expect(sent(rig.events)).toEqual(["one", "now"]);
    expect(await words()).toEqual(["one"]);
  });

  it("waits in silence for a turn that begins just before it sends", async () => {
    const gate = new Gate();
    const rig = await dispatching([gate.before(say("a")), say("b")]);
    await using _ = rig.session;
    await rig.queue.add(text("one"), "client-1");
    const list = rig.queue.list.bind(rig.queue);
    let begun = 0;
    rig.queue.list = async () => {
      begun += 1;
      if (begun === 1) await rig.say("now");
      return await list();
    };
    rig.dispatcher.wake();
    await gate.reached;
    gate.open();
    await rig.next("task_complete", 2);
    expect(sent(rig.events)).toEqual(["now", "one"]);
    expect(warnings).toEqual([]);
  });

  it("goes on after a turn that failed", async () => {
    const gate = new Gate();
    // biome-ignore lint/correctness/useYield: a stream that fails before it says anything
    const failing = async function* (): AsyncGenerator<never> {
      throw new Error("bad");
    };
    const rig = await dispatching([gate.before(failing), say("b")]);
    await using _ = rig.session;
    await rig.say("now");
    await gate.reached;
    await rig.queue.add(text("one"), "1");
    gate.open();
    await rig.next("task_complete", 2);
    expect(sent(rig.events)).toEqual(["now", "one"]);
  });

  it("waits after an interruption until another turn has ended", async () => {
    const gate = new Gate();
    const rig = await dispatching([gate.before(say("a")), say("by hand"), say("one")]);
    await using _ = rig.session;
    await rig.say("now");
    await gate.reached;
    await rig.queue.add(text("one"), "1");
    await rig.session.interrupt();
    rig.dispatcher.wake();
    await rig.queue.list();
    expect(sent(rig.events)).toEqual(["now"]);
    expect(rig.session.snapshot().activeTurnId).toBeNull();
    await rig.say("by hand");
    await rig.next("task_complete", 2);
    expect(sent(rig.events)).toEqual(["now", "by hand", "one"]);
  });

  it("sends one when it is asked to, whatever came before", async () => {
    const rig = await dispatching([say("a"), say("b")], true);
    await using _ = rig.session;
    await rig.queue.add(text("one"), "1");
    const { id } = await rig.queue.add(text("two"), "2");
    const turn = await rig.dispatcher.start(id);
    expect(await rig.next("task_complete")).toMatchObject({ turn_id: turn });
    await rig.next("task_complete", 2);
    expect(sent(rig.events)).toEqual(["two", "one"]);
  });

  it("says why nothing was sent, and keeps everything", async () => {
    const gate = new Gate();
    const rig = await dispatching([gate.before(say("a"))]);
    await using _ = rig.session;
    await expect(rig.dispatcher.start(null)).rejects.toThrow("queue is empty");
    await expect(rig.dispatcher.start("nope")).rejects.toThrow("queued submission not found: nope");
    await rig.say("now");
    await gate.reached;
    await rig.queue.add(text("one"), "1");
    await expect(rig.dispatcher.start(null)).rejects.toThrow("thread already has an active or pending turn");
    expect(await words(rig.queue)).toEqual(["one"]);
    await rig.session.interrupt();
  });

  it("keeps a submission that the session does not take", async () => {
    const rig = await dispatching([]);
    await using _ = rig.session;
    await rig.queue.add(text("one"), "1");
    rig.session.submit = async () => ({ NotSubmitted: { reason: "PendingTriggerTurn" } });
    await expect(rig.dispatcher.start(null)).rejects.toThrow(QueueRefusal);
    rig.dispatcher.wake();
    await expect.poll(() => warnings).toEqual([expect.stringContaining("was not sent and stays queued")]);
    expect(await words(rig.queue)).toEqual(["one"]);
  });

  it("does not send when the session has ended", async () => {
    const rig = await dispatching([say("a")]);
    await rig.queue.add(text("one"), "1");
    await rig.session.shutdown();
    rig.dispatcher.wake();
    await rig.queue.list();
    expect(rig.model.requests).toEqual([]);
    expect(warnings).toEqual([]);
    await expect(rig.session.submit(request("x"), "StartOrSteer")).rejects.toThrow("shut down");
  });
});
