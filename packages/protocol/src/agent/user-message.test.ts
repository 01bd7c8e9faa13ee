import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromAppUserInput, toAppUserInput } from "../app/convert/index.js";
import { sliceBytes } from "../text/utf8.js";
import { userInputContent } from "./user-content.js";
import type { UserInput } from "./user-input.js";
import {
  imageDetails,
  localImageDetails,
  messageText,
  messageTextElements,
  userInputOfEvent,
  userMessageEvent,
} from "./user-message.js";

const content: UserInput[] = [
  { type: "text", text: "é @a ", text_elements: [{ byte_range: { start: 3, end: 5 }, placeholder: null }] },
  { type: "image", image_url: "data:a", detail: "low" },
  { type: "image", image_url: "data:b" },
  { type: "local_image", path: "/p.png" },
  { type: "skill", name: "s", path: "/s" },
  { type: "text", text: "👍 @b", text_elements: [{ byte_range: { start: 5, end: 7 }, placeholder: "bee" }] },
  { type: "audio", audio_url: "data:c" },
  { type: "local_audio", path: "/a.wav" },
  { type: "mention", name: "m", path: "mcp://m" },
];

describe("a user message", () => {
  test("joins texts, moves elements and fills placeholders in", () => {
    expect(messageText(content)).toBe("é @a 👍 @b");
    expect(messageTextElements(content)).toEqual([
      { byte_range: { start: 3, end: 5 }, placeholder: "@a" },
      { byte_range: { start: 11, end: 13 }, placeholder: "bee" },
    ]);
  });

  test("trims trailing details that are not set", () => {
    expect(imageDetails(content)).toEqual(["low"]);
    expect(localImageDetails(content)).toEqual([]);
    const late: UserInput[] = [
      { type: "image", image_url: "a" },
      { type: "image", image_url: "b", detail: "original" },
      { type: "image", image_url: "c", detail: null },
    ];
    expect(imageDetails(late)).toEqual([null, "original"]);
  });

  test("is one legacy event, which reads back without skills and mentions", () => {
    const event = userMessageEvent(content, "client-1");
    expect(event).toEqual({
      type: "user_message",
      client_id: "client-1",
      message: "é @a 👍 @b",
      images: ["data:a", "data:b"],
      image_details: ["low"],
      local_images: ["/p.png"],
      audio: ["data:c"],
      local_audio: ["/a.wav"],
      text_elements: messageTextElements(content),
    });
    expect(userInputOfEvent(event)).toEqual([
      { type: "text", text: "é @a 👍 @b", text_elements: messageTextElements(content) },
      { type: "image", image_url: "data:a", detail: "low" },
      { type: "image", image_url: "data:b" },
      { type: "local_image", path: "/p.png" },
      { type: "audio", audio_url: "data:c" },
      { type: "local_audio", path: "/a.wav" },
    ]);
  });

  test("an empty message has no input", () => {
    expect(userInputOfEvent({ message: "" })).toEqual([]);
  });

  test("elements keep pointing at their text", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const inputs: UserInput[] = texts.map((one) => ({
          type: "text",
          text: one,
          text_elements: [{ byte_range: { start: 0, end: new TextEncoder().encode(one).length }, placeholder: null }],
        }));
        const joined = messageText(inputs);
        expect(messageTextElements(inputs).map((element) => sliceBytes(joined, element.byte_range))).toEqual(texts);
      }),
    );
  });
});

describe("content for the model", () => {
  test("numbers images and audio of one message, labels local ones, leaves skills and mentions out", () => {
    const read = { image: () => ({ url: "data:image" }), audio: () => ({ omitted: "no audio", labelled: true }) };
    expect(userInputContent(content, read)).toEqual([
      { type: "input_text", text: "é @a " },
      { type: "input_image", image_url: "data:a", detail: "low" },
      { type: "input_image", image_url: "data:b", detail: "high" },
      { type: "input_text", text: '<image name=[Image #3] path="/p.png">' },
      { type: "input_image", image_url: "data:image", detail: "high" },
      { type: "input_text", text: "</image>" },
      { type: "input_text", text: "👍 @b" },
      { type: "input_audio", audio_url: "data:c" },
      { type: "input_text", text: '<audio name=[Audio #2] path="/a.wav">' },
      { type: "input_text", text: "no audio" },
      { type: "input_text", text: "</audio>" },
    ]);
  });

  test("without a reader of files the places are kept", () => {
    expect(userInputContent([{ type: "local_image", path: "/p.png" }]).map((part) => part.type)).toEqual([
      "input_text",
      "input_text",
      "input_text",
    ]);
  });
});

test("input survives the way to the app's spelling and back", () => {
  const filled = content.map((input) => (input.type === "text" ? { ...input } : input));
  expect(filled.map(toAppUserInput).map(fromAppUserInput)).toEqual(filled);
  expect(toAppUserInput({ type: "image", image_url: "u" })).toEqual({ type: "image", detail: null, url: "u" });
});
