import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { UserInput } from "@turnkit/protocol";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audioMimeOf, MediaReadError, MediaTooLarge, readMedia, snapshotMedia } from "./local-media.js";
import { ImageError } from "./prepare-image.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "local-media-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: Uint8Array | string): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, bytes);
  return at;
}

async function sparse(name: string, size: number): Promise<string> {
  const at = await file(name, "");
  await truncate(at, size);
  return at;
}

describe("readMedia", () => {
  it("reads exactly up to the limit", async () => {
    expect((await readMedia(await file("ten", "0123456789"), "image", 10)).toString()).toBe("0123456789");
    await expect(readMedia(await file("eleven", "0123456789a"), "image", 10)).rejects.toThrow(
      new MediaTooLarge("image input exceeds 10 bytes"),
    );
  });

  it("refuses large files without reading them", async () => {
    const before = process.memoryUsage.rss();
    await expect(readMedia(await sparse("big.png", 1024 ** 3 + 1), "image")).rejects.toThrow(
      new MediaTooLarge("image input exceeds 1073741824 bytes"),
    );
    await expect(readMedia(await sparse("big.wav", 50 * 1024 * 1024 + 1), "audio")).rejects.toThrow(
      new MediaTooLarge("audio input exceeds 52428800 bytes"),
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  it("refuses a file that turns out to be longer than it said", async () => {
    // Files of the proc file system claim to be empty.
    await expect(readMedia("/proc/self/maps", "audio", 10)).rejects.toThrow(
      new MediaTooLarge("audio input exceeds 10 bytes"),
    );
  });

  it.each([
    ["missing", "No such file or directory (os error 2)"],
    [".", "Is a directory (os error 21)"],
    ["/dev/zero", "not a regular file"],
  ])("says why %s cannot be read", async (name, message) => {
    await expect(readMedia(path.resolve(folder, name), "image")).rejects.toThrow(new MediaReadError(message));
  });
});

describe("snapshotMedia", () => {
  it("puts an image's bytes into the part and keeps its detail", async () => {
    const png = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const at = await file("a.png", png);
    const fitted = await snapshotMedia({ type: "local_image", path: at });
    expect(fitted).toEqual({ type: "image", image_url: expect.stringMatching(/^data:image\/png;base64,/) });
    const { width, height } = await sharp(
      Buffer.from((fitted as { image_url: string }).image_url.split(",")[1]!, "base64"),
    ).metadata();
    expect([width, height]).toEqual([2048, 1024]);
    expect(await snapshotMedia({ type: "local_image", path: at, detail: "original" })).toEqual({
      type: "image",
      image_url: `data:image/png;base64,${png.toString("base64")}`,
      detail: "original",
    });
  });

  it("puts audio into the part by its extension, and refuses others before the file is opened", async () => {
    const at = await file("a.M4A", "bytes");
    expect(await snapshotMedia({ type: "local_audio", path: at })).toEqual({
      type: "audio",
      audio_url: `data:audio/mp4;base64,${Buffer.from("bytes").toString("base64")}`,
    });
    await expect(snapshotMedia({ type: "local_audio", path: "/no/such/file.flac" })).rejects.toThrow(
      new MediaReadError("unsupported audio format"),
    );
  });

  it("fails on what it cannot keep and leaves the part alone", async () => {
    const part: UserInput = { type: "local_image", path: await file("bad.png", "no"), detail: "high" };
    const before = structuredClone(part);
    await expect(snapshotMedia(part)).rejects.toThrow(ImageError);
    await expect(snapshotMedia({ type: "local_image", path: "/no/such.png" })).rejects.toThrow(MediaReadError);
    expect(part).toEqual(before);
  });

  it("never touches other parts", async () => {
    const parts: UserInput[] = [
      { type: "text", text: "a", text_elements: [] },
      { type: "image", image_url: "x" },
      { type: "audio", audio_url: "x" },
      { type: "skill", name: "s", path: "/s" },
      { type: "mention", name: "m", path: "app://m" },
    ];
    for (const part of parts) expect(await snapshotMedia(part)).toBe(part);
  });
});

describe("audioMimeOf", () => {
  it("goes by the extension, whatever its case", () => {
    expect(["a.wav", "a.MP3", "b.m4a", "c.WebM", "d.ogg", "e.flac", "wav", ""].map(audioMimeOf)).toEqual([
      "audio/wav",
      "audio/mpeg",
      "audio/mp4",
      "audio/webm",
      "audio/ogg",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
