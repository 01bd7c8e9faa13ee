/** Compacted sessions change hands: one program writes, the other goes on. `TURNKIT_PEER_CODEX` names the genuine one. */
import { message } from "@turnkit/core/scripted-model";
import { expect, it } from "vitest";
import { askedOf, connect, type Folders, folders } from "./composed-server.js";
import { genuine, genuineConfig } from "./genuine-app-server.js";

const say = (words: string) => ({ items: [message(words)] });

const asked = ({ model }: Folders) => askedOf(model, -1);

const summary = (words: string) => expect.stringMatching(new RegExp(`${words}$`));

it("ours, gone on with by the genuine program", { timeout: 120_000 }, async () => {
  await using place = await folders(genuineConfig);
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
  await using place = await folders(genuineConfig);
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
