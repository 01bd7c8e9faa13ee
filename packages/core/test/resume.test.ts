/** A thread that is read back goes on where it was. */

import { createReadStream } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { functionCall, message } from "@turnkit/core/scripted-model";
import { validateRollout } from "@turnkit/protocol/rollout";
import { expect, test } from "vitest";
import { createResponsesClient, createSession } from "../src/index.js";
import { FileThreadStore, readThread, ThreadFiles } from "../src/rollout/index.js";
import { PLAN, provider, settings, startRig, textInput } from "./helpers.js";

test("the second process sees what the first was told, and the file stays one", async () => {
  await using rig = await startRig({ keep: false });
  rig.model.push({ items: [message("first answer")] });
  await rig.turn("first words", { thread_settings: { collaboration_mode: PLAN } });
  const { rolloutPath, threadId } = rig.session.snapshot();
  await rig.session.shutdown();
  // A writer that was killed leaves half a line.
  await appendFile(rolloutPath!, '{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_');
  const stored = await readThread(rolloutPath!);
  expect(stored.losses).toHaveLength(1);
  expect(stored.meta?.id).toBe(threadId);
  const client = createResponsesClient({ provider: provider(rig.model), environment: {}, userAgent: "test" });
  await using second = await createSession({
    modelClient: client,
    store: new FileThreadStore(rig.home),
    settings: settings(rig.cwd),
    history: stored.history,
    threadId,
    exec: { shell: { name: "bash", path: "/bin/bash" } },
  });
  rig.model.push({ items: [message("second answer")] });
  const completed = new Promise<void>((resolve) =>
    second.subscribe(({ msg }) => {
      if (msg.type === "task_complete") resolve();
    }),
  );
  await second.submit(textInput("second words"), "StartOrSteer");
  await completed;
  await second.flush();
  await client[Symbol.asyncDispose]();
  const [first, last] = [rig.model.calls[0]!.body, rig.model.calls[1]!.body] as {
    input: { id?: string; role?: string }[];
  }[];
  // What was sent is sent again, byte for byte, then the mode is taken back, then the new words.
  expect(last!.input.slice(0, first!.input.length)).toEqual(first!.input);
  expect(last!.input.slice(first!.input.length).map((item) => JSON.stringify(item))).toEqual([
    expect.stringContaining("first answer"),
    expect.stringContaining("<collaboration_mode></collaboration_mode>"),
    expect.stringContaining("second words"),
  ]);
  const text = await readFile(rolloutPath!, "utf8");
  expect(text.split("\n").filter((line) => line.includes('"session_meta"'))).toHaveLength(1);
  const validation = await validateRollout(createReadStream(rolloutPath!));
  expect(validation).toMatchObject({ losses: [expect.objectContaining({ reason: expect.any(String) })] });
  const files = new ThreadFiles(rig.home);
  expect(await files.list({ archived: false })).toMatchObject([
    { id: threadId, preview: "first words", hasTurns: true, archived: false, cliVersion: "0.1.0" },
  ]);
  await files.archive(threadId);
  expect(await files.list({ archived: false })).toEqual([]);
  expect(await files.list({ archived: true })).toMatchObject([{ id: threadId, archived: true }]);
  await files.unarchive(threadId);
  await files.setName(threadId, "named");
  expect(await files.find(threadId)).toMatchObject({ path: rolloutPath, name: "named" });
  await files.remove(threadId);
  expect(await files.find(threadId)).toBeUndefined();
});

test("a thread without a first word leaves no file", async () => {
  await using rig = await startRig();
  await rig.session.flush();
  expect(rig.session.snapshot().isMaterialized).toBe(false);
  await expect(readFile(rig.session.snapshot().rolloutPath!)).rejects.toThrow(/ENOENT/);
});

test("a call that was cut off is answered for the model as aborted", async () => {
  await using rig = await startRig();
  rig.model.push(
    { items: [functionCall("exec_command", { cmd: "echo hi", login: false }, "call_1")] },
    { items: [message("done")] },
  );
  await rig.turn("go");
  const { rolloutPath } = rig.session.snapshot();
  const text = await readFile(rolloutPath!, "utf8");
  const cut = text.slice(0, text.indexOf("\n", text.indexOf('"function_call"')) + 1);
  const file = `${rolloutPath}.cut`;
  await appendFile(file, cut);
  const stored = await readThread(file);
  expect(stored.history.items.slice(-2)).toMatchObject([
    { type: "function_call", call_id: "call_1" },
    { type: "function_call_output", call_id: "call_1", output: "aborted" },
  ]);
});
