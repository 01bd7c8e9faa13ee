/** A program that is killed: it runs turns and says, after each, which one is complete. Writing is slowed and torn. */
import type { FileHandle } from "node:fs/promises";
import * as fs from "node:fs/promises";
import { createSession } from "../src/index.js";
import { FileThreadStore } from "../src/rollout/index.js";
import { FakeModel, say } from "../src/testing/index.js";

const [home = "", slowly = "0"] = process.argv.slice(2);

if (slowly === "1") {
  // Half of a write reaches the file, then time passes, then the rest.
  const probe = await fs.open(`${home}.probe`, "w");
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const write = prototype.write as (buffer: Buffer, at?: number, length?: number) => Promise<{ bytesWritten: number }>;
  Object.defineProperty(prototype, "write", {
    async value(this: FileHandle, buffer: Buffer, at = 0) {
      const half = Math.max(1, Math.floor((buffer.length - at) / 2));
      const result = await write.call(this, buffer, at, half);
      await new Promise((resolve) => setTimeout(resolve, 3));
      return result;
    },
  });
}

const session = await createSession({
  modelClient: new FakeModel(...Array.from({ length: 10_000 }, (_, at) => say(`answer ${at}`))),
  store: new FileThreadStore(home),
  settings: {
    model: "gpt-5",
    model_provider_id: "p",
    cwd: "/",
    approval_policy: "never",
    sandbox_policy: { type: "danger-full-access" },
    collaboration_mode: { mode: "default", settings: { model: "gpt-5" } },
  },
});
process.stdout.write(`path ${session.snapshot().rolloutPath}\n`);
let turn = 0;
const next = () =>
  void session.submit(
    { input: { UserInput: { content: [{ type: "text", text: `question ${turn++}` }], client_id: null } } },
    "StartOrSteer",
  );
session.subscribe(({ msg }) => {
  if (msg.type !== "task_complete") return;
  process.stdout.write(`done ${msg.turn_id}\n`);
  next();
});
next();
