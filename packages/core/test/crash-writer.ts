/**
 * A program that is killed: it runs turns and says, after each, that it is complete. On request one of its writes
 * stops after part of the bytes, says so, and stays there.
 *
 * Arguments: home folder, file to go on with (or ""), how it writes, name of the run, turns before the write that
 * stops, which write of the following turn it is, and the share of its bytes (0 to 1) that reach the file.
 */
import type { FileHandle } from "node:fs/promises";
import * as fs from "node:fs/promises";
import { createSession } from "../src/index.js";
import type { ModelRequest } from "../src/model/model-client.js";
import { FileThreadStore, readThread } from "../src/rollout/index.js";
import { FakeModel, say } from "../src/testing/index.js";

const [home = "", file = "", manner = "", run = "", turnsBefore = "0", writesBefore = "0", share = "0"] =
  process.argv.slice(2);

let complete = 0;
let writes = 0;
/** How often the chosen write was torn. */
let tears = 0;

type Write = (buffer: Buffer, at?: number, length?: number) => Promise<{ bytesWritten: number }>;

const forever = () => new Promise<never>(() => setInterval(() => {}, 1_000));

/** Part of the bytes reach the file; then whoever kills is called and waited for. */
async function stopInside(write: () => Promise<unknown>): Promise<never> {
  await write();
  process.stdout.write("inside\n");
  return await forever();
}

if (manner !== "plain") {
  const probe = await fs.open(`${home}.probe`, "w");
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const original = prototype.write as Write;
  Object.defineProperty(prototype, "write", {
    async value(this: FileHandle, buffer: Buffer, at = 0) {
      const part = Math.max(1, Math.min(buffer.length - at - 1, Math.floor((buffer.length - at) * Number(share))));
      const writePart = () => original.call(this, buffer, at, part);
      if (complete < Number(turnsBefore) || writes++ < Number(writesBefore)) {
        // Even the others are slow: half of the bytes, time, the rest.
        const result = await original.call(this, buffer, at, Math.max(1, Math.floor((buffer.length - at) / 2)));
        await new Promise((resolve) => setTimeout(resolve, 1));
        return result;
      }
      if (manner === "delayed") return await stopInside(writePart);
      // Torn: part of the bytes and an error; the second attempt is where it ends. (With two errors the turn would be
      // reported complete with a warning that it is not saved.)
      tears += 1;
      if (tears === 2) return await stopInside(writePart);
      await writePart();
      throw Object.assign(new Error("EIO: i/o error, write"), { code: "EIO" });
    },
  });
}

const model = new FakeModel();
model.fallback = (request: ModelRequest, signal: AbortSignal) => {
  const last = JSON.stringify(request.input.at(-1));
  return say(`answer ${/question (\S+?)"/.exec(last)?.[1]}`)(request, signal);
};
const session = await createSession({
  modelClient: model,
  store: new FileThreadStore(home),
  settings: {
    model: "gpt-5",
    model_provider_id: "p",
    cwd: "/",
    approval_policy: "never",
    sandbox_policy: { type: "danger-full-access" },
    collaboration_mode: { mode: "default", settings: { model: "gpt-5" } },
  },
  ...(file === "" ? {} : await goOnWith(file)),
});

async function goOnWith(path: string) {
  const { history, meta } = await readThread(path);
  return { history, threadId: meta!.id };
}

process.stdout.write(`path ${session.snapshot().rolloutPath}\n`);
let turn = 0;
const next = () => {
  const text = `question ${run}.${turn++}`;
  void session.submit({ input: { UserInput: { content: [{ type: "text", text }], client_id: null } } }, "StartOrSteer");
};
session.subscribe(({ msg }) => {
  if (msg.type !== "task_complete") return;
  process.stdout.write(`done ${run}.${complete++} ${msg.turn_id}\n`);
  next();
});
next();
