/** Keys of the configuration that reach from the file to the model and to a program of the person's own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message } from "@turnkit/core/scripted-model";
import { expect, test, vi } from "vitest";
import { connect, folders } from "./composed-server.js";

const answer = () => ({ items: [message("ok")] });

test("base instructions come from the file, unless a client gives its own", async () => {
  await using place = await folders('model_instructions_file = "base.md"', answer);
  await using server = await connect(place);
  const refused = await server.client.request("thread/start", { cwd: place.cwd });
  expect(refused.error?.message).toContain(
    `model_instructions_file names ${join(place.home, "base.md")}, which cannot be read (ENOENT)`,
  );
  writeFileSync(join(place.home, "base.md"), "Answer in rhyme.\n");
  for (const params of [{}, { baseInstructions: "Answer in prose." }]) {
    const threadId = await server.thread(params);
    await server.turn(threadId, "hi");
  }
  const instructions = place.model.calls.map(({ body }) => (body as { instructions: string }).instructions);
  expect(instructions).toEqual(["Answer in rhyme.", "Answer in prose."]);
});

test("the program of notify learns of a turn", async () => {
  await using place = await folders("", answer);
  const told = join(place.home, "told");
  const program = `printf %s "$1" > ${told}.part && mv ${told}.part ${told}`;
  await using server = await connect(place);
  const threadId = await server.thread({ config: { notify: ["/bin/sh", "-c", program, "sh"] } });
  const { params } = await server.turn(threadId, "hi");
  const text = await vi.waitFor(() => readFileSync(told, "utf8"), { timeout: 20_000 });
  expect(JSON.parse(text)).toMatchObject({
    type: "agent-turn-complete",
    "thread-id": threadId,
    "turn-id": params.turn.id,
    cwd: place.cwd,
    client: "test",
    "last-assistant-message": "ok",
    "input-messages": ["hi"],
  });
});
