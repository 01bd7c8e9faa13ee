/** Damaged messages: the server goes on, answers what is whole, and keeps no session it should not. */
import { expect, test } from "vitest";
import { RawClient, starting } from "./raw-client.js";
import { startServer } from "./servers.js";

const FRAMES = process.env.TURNKIT_SOAK === "1" ? 50_000 : 1_000;
/** After this many damaged messages a whole one must be answered. */
const PROBE_EVERY = 10;

/** Nothing here changes a file, whatever becomes of it. */
const SEEDS: readonly object[] = [
  { id: 1, method: "process/start", params: starting("p", ["/bin/true"]) },
  { id: 2, method: "process/start", params: starting("q", ["/bin/cat"], { pipeStdin: true, tty: true, arg0: "x" }) },
  { id: 3, method: "process/read", params: { processId: "q", afterSeq: 0, maxBytes: 10, waitMs: 1 } },
  { id: 4, method: "process/write", params: { processId: "q", chunk: "eA==", writeId: "1" } },
  { id: 5, method: "process/signal", params: { processId: "q", signal: "interrupt" } },
  { id: 6, method: "process/terminate", params: { processId: "q" } },
  { id: 7, method: "process/resize", params: { processId: "q", rows: 10, cols: 10 } },
  { id: 8, method: "fs/readFile", params: { path: "file:///etc/hostname", followSymlinks: false } },
  { id: 9, method: "fs/getMetadata", params: { path: "file:///etc" } },
  { id: 10, method: "fs/readBlock", params: { handleId: "h", offset: 0, len: 10 } },
  { id: 11, method: "fs/open", params: { handleId: "h", path: "file:///etc/hostname" } },
  {
    id: 12,
    method: "environmentConfig/read",
    params: { cwd: "file:///", configPaths: [["a"]], requirementsPaths: [] },
  },
  { id: 13, method: "capabilityRoots/discoverV1", params: { roots: [{ id: "r", path: "file:///nonexistent" }] } },
  {
    id: 14,
    method: "http/request",
    params: { method: "GET", url: "http://127.0.0.1:9/", requestId: "r", headers: [] },
  },
  { id: 15, method: "initialize", params: { clientName: "x", resumeSessionId: null } },
  { method: "initialized", params: {} },
];

const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 60,
  1e308,
  "",
  "\0",
  "\u2028",
  "\ud800",
  "x".repeat(3_000),
  [],
  {},
  [[[]]],
  { "": 1 },
  "file:///",
  "..",
];

class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** Replaces, removes or adds members somewhere inside. */
function damageValue(value: unknown, dice: Dice): unknown {
  if (typeof value !== "object" || value === null || dice.below(4) === 0) return dice.of(VALUES);
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    copy[dice.below(copy.length + 1)] = dice.of(VALUES);
    return copy;
  }
  const copy: Record<string, unknown> = { ...value };
  const key = dice.of([...Object.keys(copy), "__proto__", "constructor", "extra"]);
  if (dice.below(3) === 0) delete copy[key];
  else Object.defineProperty(copy, key, { value: damageValue(copy[key], dice), enumerable: true, configurable: true });
  return copy;
}

function damageText(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const kind = dice.below(4);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + String.fromCharCode(dice.below(0x3000)) + text.slice(at);
  if (kind === 2) return text.slice(0, at) + text.slice(at + 1 + dice.below(5));
  return text.slice(0, at) + text.slice(dice.below(text.length));
}

test(`${FRAMES} damaged messages`, async () => {
  await using server = await startServer(undefined, { detachedMs: 50, concurrentRequests: 4 });
  const dice = new Dice(20_261_130);
  let client = await RawClient.ready(server.url);
  let answered = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    if (client.closed !== undefined) client = await RawClient.ready(server.url);
    const seed = dice.of(SEEDS);
    const text = dice.below(2) === 0 ? JSON.stringify(damageValue(seed, dice)) : damageText(JSON.stringify(seed), dice);
    client.send(text);
    if (frame % PROBE_EVERY !== 0) continue;
    client.messages.length = 0;
    const id = `probe-${frame}`;
    client.send({ id, method: "environment/status" });
    // A violation closes the connection, which is an answer as well.
    const reply = await client.waitFor((message) => message.id === id);
    if (reply) {
      expect(reply.result).toEqual({ status: "ready" });
      answered++;
    } else expect(client.closed).toMatch(/^received /);
  }
  expect(answered).toBeGreaterThan(FRAMES / PROBE_EVERY / 4);
  await client[Symbol.asyncDispose]();
  while (server.server.sessionCount > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});
