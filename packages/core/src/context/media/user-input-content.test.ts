import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { UserInput } from "@turnkit/protocol";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeImageZoo, type ZooAnimal } from "./image-zoo.js";
import { convertUserInput, userInputContent } from "./user-input-content.js";

let folder: string;
let zoo: readonly ZooAnimal[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-"));
  zoo = await makeImageZoo(folder);
}, 30_000);
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);
const texts = async (...input: UserInput[]) =>
  (await userInputContent(input)).content.map((part) => ("text" in part ? part.text : part.type));

describe("the zoo of images", () => {
  it("holds more than thirty", () => expect(zoo.length).toBeGreaterThanOrEqual(30));

  it("becomes content that every model request can carry", async () => {
    const seen: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const { name, path: file, outcome } of zoo) {
      const { content, kinds } = await userInputContent([{ type: "local_image", path: file }]);
      expect(kinds).toHaveLength(content.length);
      wanted[name] = outcome;
      if (content.length === 1) {
        expect(content[0]).toMatchObject({ type: "input_text" });
        seen[name] = "unreadable";
        continue;
      }
      expect([content[0], content[2]]).toEqual([
        { type: "input_text", text: `<image name=[Image #1] path="${file}">` },
        { type: "input_text", text: "</image>" },
      ]);
      const part = content[1]!;
      if (part.type === "input_text") {
        seen[name] = part.text.includes("supported size limit") ? "large" : "broken";
        continue;
      }
      if (part.type !== "input_image") throw new Error(part.type);
      const [head, data] = part.image_url.split(",") as [string, string];
      const bytes = Buffer.from(data, "base64");
      const { width, height, format } = await sharp(bytes).metadata();
      expect(head).toBe(`data:image/${format};base64`);
      expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
      expect(Math.ceil(width / 32) * Math.ceil(height / 32)).toBeLessThanOrEqual(2500);
      seen[name] = bytes.equals(await readFile(file)) ? "same" : "changed";
    }
    expect(seen).toEqual(wanted);
  }, 60_000);
});

describe("userInputContent", () => {
  it("keeps texts apart and in order, and labels by separate counters that also count what failed", async () => {
    await writeFile(at("a.WAV"), "not really audio");
    const { content, kinds } = await userInputContent([
      { type: "text", text: "one", text_elements: [] },
      { type: "image", image_url: "file:///elsewhere.png" },
      { type: "local_image", path: at("missing.png") },
      { type: "text", text: "", text_elements: [] },
      { type: "local_image", path: at("good.png"), detail: "original" },
      { type: "local_audio", path: at("a.WAV") },
      { type: "skill", name: "s", path: "/s" },
      { type: "mention", name: "m", path: "app://m" },
    ]);
    expect(content).toEqual([
      { type: "input_text", text: "one" },
      { type: "input_image", image_url: "file:///elsewhere.png", detail: "high" },
      {
        type: "input_text",
        text: `Codex could not read the local image at \`${at("missing.png")}\`: No such file or directory (os error 2)`,
      },
      { type: "input_text", text: "" },
      { type: "input_text", text: `<image name=[Image #3] path="${at("good.png")}">` },
      { type: "input_image", image_url: expect.stringMatching(/^data:image\/png;base64,/), detail: "original" },
      { type: "input_text", text: "</image>" },
      { type: "input_text", text: `<audio name=[Audio #1] path="${at("a.WAV")}">` },
      { type: "input_audio", audio_url: `data:audio/wav;base64,${Buffer.from("not really audio").toString("base64")}` },
      { type: "input_text", text: "</audio>" },
    ]);
    expect(kinds).toHaveLength(content.length);
  });

  it("gives an empty message for input that is only skills and mentions", async () => {
    expect(await userInputContent([{ type: "skill", name: "s", path: "/s" }])).toEqual({ content: [], kinds: [] });
  });

  it.each([
    ["http://example.org/a.png", undefined, "image content omitted because remote image URLs are not supported"],
    ["HTTPS://example.org/a.png", undefined, "image content omitted because remote image URLs are not supported"],
    [
      "data:image/png;base64,AAAA",
      "low",
      "image content omitted because detail 'low' is not supported; use 'high', 'original', or 'auto'",
    ],
    ["data:image/png;base64,AAAA", undefined, "image content omitted because it could not be processed"],
    ["data:image/png,plain", undefined, "image content omitted because it could not be processed"],
    ["data:image/png;base64", undefined, "image content omitted because it could not be processed"],
    ["data:image/png;base64,!!!!", undefined, "image content omitted because it could not be processed"],
  ] as const)("replaces the image %s with detail %s", async (image_url, detail, text) => {
    expect(await texts({ type: "image", image_url, ...(detail ? { detail } : {}) })).toEqual([text]);
  });

  it.each(["", "ftp://x/y.png", "file:///x.png", "word"])("passes the image URL %j as it is", async (image_url) => {
    const { content } = await userInputContent([{ type: "image", image_url, detail: "auto" }]);
    expect(content).toEqual([{ type: "input_image", image_url, detail: "auto" }]);
  });

  it("shrinks to the limits of the detail", async () => {
    const big = await sharp({ create: { width: 5000, height: 3500, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const url = `data:image/png;base64,${big.toString("base64")}`;
    const sizes = [];
    for (const detail of [undefined, "auto", "original"] as const) {
      const { content } = await userInputContent([{ type: "image", image_url: url, ...(detail ? { detail } : {}) }]);
      const [part] = content;
      if (part?.type !== "input_image") throw new Error("no image");
      const { width, height } = await sharp(Buffer.from(part.image_url.split(",")[1]!, "base64")).metadata();
      sizes.push([width, height]);
    }
    expect(sizes).toEqual([
      [1873, 1312],
      [1873, 1312],
      [3794, 2655],
    ]);
  });

  it("judges audio by what it claims to be and by its size", async () => {
    await writeFile(at("long.wav"), "");
    await truncate(at("long.wav"), 50 * 1024 * 1024 + 1);
    await writeFile(at("a.flac"), "x");
    expect(await texts({ type: "audio", audio_url: "http://x/a.wav" })).toEqual([
      "audio content omitted because it could not be processed",
    ]);
    expect(await texts({ type: "audio", audio_url: "data:audio/flac;base64,AAAA" })).toEqual([
      "audio content omitted because its format is not supported; use wav, mp3, m4a, webm, or ogg",
    ]);
    expect(await texts({ type: "audio", audio_url: "data:audio/wav;base64,AAAA" })).toEqual(["input_audio"]);
    expect(await texts({ type: "local_audio", path: at("missing.ogg") })).toEqual([
      `Codex could not read the local audio at \`${at("missing.ogg")}\`: No such file or directory (os error 2)`,
    ]);
    expect(await texts({ type: "local_audio", path: at("a.flac") })).toEqual([
      `Codex cannot attach audio at \`${at("a.flac")}\`: unsupported audio format; use wav, mp3, m4a, webm, or ogg.`,
    ]);
    expect(await texts({ type: "local_audio", path: at("long.wav") })).toEqual([
      `<audio name=[Audio #1] path="${at("long.wav")}">`,
      "audio content omitted because it exceeded the supported size limit; use a smaller audio file",
      "</audio>",
    ]);
  });
});

describe("the two preparations of local images", () => {
  it("wraps the raw bytes when the judgement is deferred", async () => {
    const { content } = await convertUserInput([{ type: "local_image", path: at("words.png") }], "defer");
    expect(content[1]).toEqual({
      type: "input_image",
      image_url: `data:application/octet-stream;base64,${Buffer.from("this is not an image").toString("base64")}`,
      detail: "high",
    });
  });

  it("names the path of a bad image when it is judged at once", async () => {
    const process = async (name: string) =>
      (await convertUserInput([{ type: "local_image", path: at(name) }], "process")).content;
    expect(await process("words.png")).toEqual([
      {
        type: "input_text",
        text: `Codex cannot attach image at \`${at("words.png")}\`: unsupported image \`image/png\`.`,
      },
    ]);
    expect(await process("truncated.png")).toEqual([
      { type: "input_text", text: expect.stringMatching(/^Image located at `.*truncated\.png` is invalid: /) },
    ]);
    expect((await process("good.png")).map(({ type }) => type)).toEqual(["input_text", "input_image", "input_text"]);
  });
});
