// @ts-check
// One input on a thread of its own.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { mp3, png, wav } from "./media.mjs";

/** @param {string} text @param {unknown[]} [elements] */
export function textItem(text, elements) {
  return { type: "text", text, ...(elements === undefined ? {} : { text_elements: elements }) };
}

/** The input that is one plain text. @param {string} text */
export function textInput(text) {
  return [textItem(text, [])];
}

/** @param {import("../client.mjs").Client} client @param {string} label @param {string | any[]} input @param {object} [params] */
export async function inputCase(client, label, input, params = {}) {
  const { model } = client.scene;
  const threadId = await client.thread();
  client.scene.note(label);
  model.clear();
  model.push(client.scene.say(`ok ${label}`));
  await client.turn(threadId, input, params, 15_000).catch(() => {});
  return threadId;
}

/** Writes media files, good and bad, into the working folder. @param {import("../scene.mjs").Scene} scene */
export function writeMedia({ cwd }) {
  const write = (/** @type {string} */ name, /** @type {string | Buffer} */ content) => {
    const file = path.join(cwd, name);
    writeFileSync(file, content);
    return file;
  };
  return {
    small: write("small.png", png(4, 3)),
    big: write("big.png", png(3000, 1500)),
    wide: write("wide.png", png(7000, 200)),
    notImage: write("not-image.png", "this is plain text"),
    text: write("notes.txt", "hello text"),
    empty: write("empty.png", ""),
    wav: write("tone.wav", wav()),
    mp3: write("song.mp3", mp3()),
    flac: write("song.flac", "fLaC...."),
    badWav: write("bad.wav", "nope"),
    upperWav: write("UP.WAV", wav()),
    misnamed: write("renamed.jpg", png(5, 5)),
    missingPng: path.join(cwd, "missing.png"),
    missingWav: path.join(cwd, "missing.wav"),
    folder: cwd,
  };
}
