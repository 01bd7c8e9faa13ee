// @ts-check
// Audio inputs, with and without a model that hears.
import { readFileSync } from "node:fs";
import { inputCase, textItem, writeMedia } from "./input-case.mjs";
import { dataUrl } from "./media.mjs";

/** @param {import("../client.mjs").Client} client */
export async function audioCases(client) {
  const media = writeMedia(client.scene);
  const wavUrl = dataUrl("audio/wav", readFileSync(media.wav));
  const remote = (/** @type {string} */ label, /** @type {string} */ url) =>
    inputCase(client, label, [textItem("hear"), { type: "audio", url }]);
  const local = (/** @type {string} */ label, /** @type {string} */ path) =>
    inputCase(client, label, [textItem("hear"), { type: "localAudio", path }]);
  await remote("audio-data", wavUrl);
  await remote("audio-data-mp3", dataUrl("audio/mpeg", readFileSync(media.mp3)));
  await remote("audio-http", "http://127.0.0.1:9/a.wav");
  await remote("audio-data-badmime", "data:audio/flac;base64,AAAA");
  await remote("audio-data-garbage", "data:audio/wav;base64,AAAA");
  await local("local-wav", media.wav);
  await local("local-upper-wav", media.upperWav);
  await local("local-mp3", media.mp3);
  await inputCase(client, "local-two-audio", [
    { type: "localAudio", path: media.wav },
    { type: "localAudio", path: media.mp3 },
  ]);
  await inputCase(client, "local-audio-after-remote", [
    { type: "audio", url: wavUrl },
    { type: "localAudio", path: media.wav },
  ]);
  await local("local-missing-wav", media.missingWav);
  await local("local-flac", media.flac);
  await local("local-txt", media.text);
  await local("local-bad-wav", media.badWav);
}
