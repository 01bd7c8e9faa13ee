/**
 * Whatever is attached, the thread goes on: after each of the odd and hostile files a turn of words alone works, and it
 * works for the next process, too. The model refuses every image that is none, as providers do.
 */
import { appendFile, mkdtemp, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { message, type ScriptedResponse } from "@turnkit/core/scripted-model";
import type { UserInput } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeImageZoo, type ZooAnimal } from "../src/context/media/image-zoo.js";
import { createResponsesClient, createSession } from "../src/index.js";
import { FileThreadStore, readThread } from "../src/rollout/index.js";
import { provider, type Rig, settings, startRig, textInput } from "./helpers.js";

let folder: string;
let zoo: readonly ZooAnimal[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-zoo-"));
  zoo = await makeImageZoo(folder);
}, 120_000);
afterAll(() => removeFolder(folder));

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: string;
}
const partsOf = (body: unknown) =>
  (body as { input: { content?: readonly Part[] }[] }).input.flatMap(({ content }) => content ?? []);
const imagesOf = (body: unknown) => partsOf(body).filter(({ type }) => type === "input_image");
const textsOf = (body: unknown) => partsOf(body).flatMap(({ text }) => text ?? []);

/** By the first bytes, as far as they tell. */
const acceptable = ({ image_url: url = "" }: Part) =>
  /^data:image\/png;base64,iVBORw0KGgo|^data:image\/jpeg;base64,\/9j\/|^data:image\/webp;base64,UklGR/.test(url);

const REFUSAL = {
  status: 400,
  errorBody: { error: { message: "The image data you provided does not represent a valid image" } },
};
const strict: ScriptedResponse = {
  fn: (body) => (imagesOf(body).every(acceptable) ? { items: [message("fine")] } : REFUSAL),
};

async function turn(rig: Rig, content: readonly UserInput[]) {
  rig.model.push(strict);
  const id = await rig.say("", { input: { UserInput: { content: [...content], client_id: null } } });
  return await rig.seen("task_complete", (event) => event.turn_id === id);
}

const words = (text: string): UserInput => ({ type: "text", text, text_elements: [] });
const picture = (file: string, detail?: "original"): UserInput => ({
  type: "local_image",
  path: file,
  ...(detail === undefined ? {} : { detail }),
});

/** Another session over the same file; what its first request holds. */
async function resumed(rig: Rig, response: ScriptedResponse): Promise<unknown> {
  const { rolloutPath, threadId } = rig.session.snapshot();
  const stored = await readThread(rolloutPath!);
  expect(stored.losses).toEqual([]);
  const client = createResponsesClient({ provider: provider(rig.model), environment: {}, userAgent: "test" });
  await using session = await createSession({
    modelClient: client,
    store: new FileThreadStore(rig.home),
    settings: settings(rig.cwd),
    history: stored.history,
    threadId,
    exec: { shell: { name: "bash", path: "/bin/bash" } },
  });
  rig.model.push(response);
  const done = new Promise<{ last_agent_message?: string | null }>((resolve) =>
    session.subscribe(({ msg }) => msg.type === "task_complete" && resolve(msg)),
  );
  await session.submit(textInput("words of the next process"), "StartOrSteer");
  expect(await done).toMatchObject({ last_agent_message: "fine" });
  await client[Symbol.asyncDispose]();
  return rig.model.calls.at(-1)!.body;
}

describe("the zoo of images in a thread", () => {
  test("after any of them words alone work, in this process and the next", { timeout: 120_000 }, async () => {
    await using rig = await startRig();
    expect(zoo.length).toBeGreaterThanOrEqual(35);
    for (const [at, { name, path: file }] of zoo.entries()) {
      const detail = at % 2 === 0 ? undefined : "original";
      expect([name, await turn(rig, [words(`look ${at}`), picture(file, detail)])]).toMatchObject([
        name,
        { last_agent_message: "fine" },
      ]);
      expect([name, await turn(rig, [words(`go on ${at}`)])]).toMatchObject([name, { last_agent_message: "fine" }]);
    }
    expect(rig.events.filter(({ type }) => type === "error")).toEqual([]);
    const last = rig.model.calls.at(-1)!.body;
    // Whatever could be shown is shown, and for the rest there is a word.
    const shown = zoo.filter(({ outcome }) => outcome === "same" || outcome === "changed").length;
    expect(imagesOf(last).length).toBe(shown);
    expect(textsOf(last).filter((text) => /omitted because|could not read/.test(text)).length).toBe(zoo.length - shown);
    await rig.session.shutdown();
    const next = await resumed(rig, strict);
    expect(imagesOf(next)).toEqual(imagesOf(last));
    expect(textsOf(next).at(-1)).toBe("words of the next process");
  });

  test("a file that grows while it is read, and more than fifty megabytes of sound", async () => {
    await using rig = await startRig();
    const growing = path.join(folder, "growing.png");
    await writeFile(growing, "");
    let grow = true;
    const growth = (async () => {
      while (grow) await appendFile(growing, Buffer.alloc(65_536));
    })();
    const sound = path.join(folder, "long.wav");
    await writeFile(sound, "RIFF");
    await truncate(sound, 50 * 1024 * 1024 + 1);
    const done = await turn(rig, [picture(growing), { type: "local_audio", path: sound }, words("both")]);
    grow = false;
    await growth;
    expect(done).toMatchObject({ last_agent_message: "fine" });
    const texts = textsOf(rig.model.calls.at(-1)!.body);
    expect(
      texts.filter((text) => /could not read the local audio|audio input exceeds|audio content omitted/.test(text)),
    ).toHaveLength(1);
    expect(await turn(rig, [words("on")])).toMatchObject({ last_agent_message: "fine" });
    await rig.session.shutdown();
    expect(textsOf(await resumed(rig, strict)).at(-1)).toBe("words of the next process");
  });

  test("what a provider refuses is not sent again, not even by the next process", async () => {
    await using rig = await startRig();
    const picky: ScriptedResponse = {
      fn: (body) => (imagesOf(body).length === 0 ? { items: [message("fine")] } : REFUSAL),
    };
    const good = zoo.find(({ name }) => name === "good.png")!.path;
    rig.model.push(picky, picky);
    const id = await rig.say("", {
      input: { UserInput: { content: [words("look"), picture(good)], client_id: null } },
    });
    expect(await rig.seen("task_complete", (event) => event.turn_id === id)).toMatchObject({
      last_agent_message: "fine",
    });
    expect(await rig.seen("warning")).toMatchObject({ message: expect.stringContaining("it was left out") });
    rig.model.push(picky);
    await rig.turn("on");
    const before = rig.model.calls.at(-1)!.body;
    await rig.session.shutdown();
    const next = await resumed(rig, picky);
    const input = (body: unknown) => (body as { input: unknown[] }).input;
    // The same history, the answer, and the new words: nothing is told twice.
    expect(input(next).slice(0, input(before).length)).toEqual(input(before));
    expect(input(next)).toHaveLength(input(before).length + 2);
    const stored = await readThread(rig.session.snapshot().rolloutPath!);
    expect(JSON.stringify(stored.history.items)).not.toContain("input_image");
  });
});
