/** Compacted sessions change hands: one program writes, the other goes on. `TURNKIT_PEER_CODEX` names the genuine one. */
import { spawn } from "node:child_process";
import { message } from "@turnkit/core/scripted-model";
import { jsonLinesTransport } from "@turnkit/rpc/stdio";
import { expect, it } from "vitest";
import { askedOf, connect, type Folders, folders, text } from "./composed-server.js";
import { RawClient } from "./raw-client.js";

const say = (words: string) => ({ items: [message(words)] });

async function genuine({ home, cwd }: Folders) {
  const program = process.env.TURNKIT_PEER_CODEX;
  if (program === undefined) throw new Error("TURNKIT_PEER_CODEX must name the genuine program");
  const child = spawn(program, ["app-server"], {
    cwd,
    env: { ...process.env, CODEX_HOME: home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const client = new RawClient(jsonLinesTransport(child.stdout, child.stdin));
  await client.hello();
  const ok = async (method: string, params: unknown) => {
    const { result, error } = await client.request(method, params);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const completed = (turnId: string) =>
    client.until(({ method, params }) => method === "turn/completed" && params.turn.id === turnId);
  return {
    client,
    ok,
    async turn(threadId: string, words: string) {
      const { turn } = await ok("turn/start", { threadId, input: text(words) });
      await completed(turn.id);
    },
    async compact(threadId: string) {
      const count = client.seen.filter(({ method }) => method === "turn/started").length;
      await ok("thread/compact/start", { threadId });
      await completed((await client.notification("turn/started", count + 1)).params.turn.id);
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}

const asked = ({ model }: Folders) => askedOf(model, -1);

const config = `check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
`;
const summary = (words: string) => expect.stringMatching(new RegExp(`${words}$`));

it("ours, gone on with by the genuine program", { timeout: 120_000 }, async () => {
  await using place = await folders(config);
  let threadId: string;
  {
    await using server = await connect(place);
    threadId = await server.thread();
    place.model.push(say("first answer"));
    await server.turn(threadId, "first prompt");
    place.model.push(say("THE NOTE"));
    await server.ok("thread/compact/start", { threadId });
    await server.completed(await server.started(2));
    place.model.push(say("second answer"));
    await server.turn(threadId, "second prompt");
  }
  await using peer = await genuine(place);
  const { thread } = await peer.ok("thread/resume", { threadId });
  expect(thread.turns.map(({ items }: { items: { type: string }[] }) => items.map(({ type }) => type))).toEqual([
    ["userMessage", "agentMessage"],
    ["contextCompaction"],
    ["userMessage", "agentMessage"],
  ]);
  place.model.push(say("third answer"));
  await peer.turn(threadId, "third prompt");
  expect(asked(place)).toEqual(["first prompt", summary("THE NOTE"), "second prompt", "second answer", "third prompt"]);
});

it("the genuine program's, gone on with and compacted again by ours", { timeout: 120_000 }, async () => {
  await using place = await folders(config);
  let threadId: string;
  {
    await using peer = await genuine(place);
    threadId = (await peer.ok("thread/start", { cwd: place.cwd })).thread.id;
    place.model.push(say("first answer"));
    await peer.turn(threadId, "first prompt");
    place.model.push(say("ITS NOTE"));
    await peer.compact(threadId);
    place.model.push(say("second answer"));
    await peer.turn(threadId, "second prompt");
  }
  await using server = await connect(place);
  await server.ok("thread/resume", { threadId });
  place.model.push(say("third answer"));
  await server.turn(threadId, "third prompt");
  expect(asked(place)).toEqual(["first prompt", summary("ITS NOTE"), "second prompt", "second answer", "third prompt"]);
  place.model.push(say("OUR NOTE"));
  await server.ok("thread/compact/start", { threadId });
  await server.completed(await server.started(2));
  place.model.push(say("fourth answer"));
  await server.turn(threadId, "fourth prompt");
  expect(asked(place)).toEqual(["first prompt", "second prompt", "third prompt", summary("OUR NOTE"), "fourth prompt"]);
});
