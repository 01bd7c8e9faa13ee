/** Sessions change hands: what one program wrote, the other shows and goes on with. `TURNKIT_PEER_CODEX` names the genuine one. */
import { functionCall, message, reasoning } from "@turnkit/core/scripted-model";
import type { Turn } from "@turnkit/protocol/app";
import { expect, it } from "vitest";
import { connect, type Folders, folders } from "./composed-server.js";
import { genuine, genuineConfig } from "./genuine-app-server.js";

/** A turn with thoughts, a command and an answer, then one of words. */
const script = [
  { items: [reasoning("thinking", "raw"), functionCall("exec_command", { cmd: "echo hi", login: false }, "call_1")] },
  { items: [message("first answer")] },
  { items: [message("second answer")] },
];

type Server = {
  ok(method: string, params: unknown): ReturnType<Awaited<ReturnType<typeof genuine>>["ok"]>;
  turn(threadId: string, words: string): Promise<unknown>;
};

const shown = (turns: readonly Turn[]) =>
  turns.map(({ id, status, items }) => ({
    id,
    status,
    items: items.map((item) => [item.type, "text" in item ? item.text : "content" in item ? item.content : null]),
  }));

const history = ({ model }: Folders) =>
  (model.calls.at(-1)!.body as { input: { type: string; role?: string; call_id?: string }[] }).input.map(
    ({ type, role, call_id }) => [type, role ?? call_id ?? null],
  );

async function write(place: Folders, server: Server, threadId: string) {
  place.model.push(...script);
  await server.turn(threadId, "first prompt");
  await server.turn(threadId, "second prompt");
  const { thread } = await server.ok("thread/read", { threadId, includeTurns: true });
  return { turns: shown(thread.turns), sent: history(place) };
}

async function goOn(place: Folders, server: Server, threadId: string) {
  const { thread } = await server.ok("thread/resume", { threadId });
  place.model.push({ items: [message("third answer")] });
  await server.turn(threadId, "third prompt");
  return { turns: shown(thread.turns), sent: history(place) };
}

it("ours, gone on with by the genuine program", { timeout: 120_000 }, async () => {
  await using place = await folders(genuineConfig);
  let threadId: string;
  let written: Awaited<ReturnType<typeof write>>;
  {
    await using server = await connect(place);
    threadId = await server.thread();
    written = await write(place, server, threadId);
  }
  await using peer = await genuine(place);
  const next = await goOn(place, peer, threadId);
  expect(next.turns).toEqual(written.turns);
  expect(next.sent.slice(0, written.sent.length)).toEqual(written.sent);
});

it("the genuine program's, gone on with by ours", { timeout: 120_000 }, async () => {
  await using place = await folders(genuineConfig);
  let threadId: string;
  let written: Awaited<ReturnType<typeof write>>;
  {
    await using peer = await genuine(place);
    threadId = (await peer.ok("thread/start", { cwd: place.cwd })).thread.id;
    written = await write(place, peer, threadId);
  }
  await using server = await connect(place);
  const next = await goOn(place, server, threadId);
  expect(next.turns).toEqual(written.turns);
  expect(next.sent.slice(0, written.sent.length)).toEqual(written.sent);
});
