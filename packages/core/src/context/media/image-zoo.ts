/** Files that claim to be images: the good, the odd and the hostile. For tests only; made anew in a folder each time. */
import { execFile } from "node:child_process";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** What becomes of a file: the image as it was, another image in its place, or a text. */
export type ZooOutcome = "same" | "changed" | "broken" | "large" | "unreadable";

export interface ZooAnimal {
  readonly name: string;
  readonly path: string;
  readonly outcome: ZooOutcome;
}

const color = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width, height, channels, background: { r: 30, g: 90, b: 150, alpha: 0.5 } } });

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A black PNG with one bit for each pixel, so that huge pictures are small files. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

const BMP = Buffer.from(
  "424d3a0000000000000036000000280000000100000001000000010018000000000004000000c40e0000c40e00000000000000000000ff000000",
  "hex",
);

export async function makeImageZoo(folder: string): Promise<readonly ZooAnimal[]> {
  const animals: ZooAnimal[] = [];
  const add = async (name: string, outcome: ZooOutcome, bytes: Uint8Array | Promise<Uint8Array>) => {
    const file = path.join(folder, name);
    await writeFile(file, await bytes);
    animals.push({ name, path: file, outcome });
  };
  const png = await color(64, 48).png().toBuffer();
  const jpeg = await color(1200, 900).jpeg().toBuffer();
  await add("good.png", "same", png);
  await add("good.jpg", "same", jpeg);
  await add("good.webp", "same", color(10, 10).webp().toBuffer());
  await add("wrong-extension.jpg", "same", png);
  await add("no-extension", "same", png);
  await add("cmyk.jpg", "same", color(40, 30).toColourspace("cmyk").jpeg().toBuffer());
  await add("sixteen-bit.png", "same", color(40, 30).toColourspace("rgb16").png().toBuffer());
  await add("alpha.png", "same", color(40, 30, 4).png().toBuffer());
  await add("trailing-bytes.png", "same", Buffer.concat([png, Buffer.from("after the end")]));
  await add("still.gif", "changed", color(10, 10).gif().toBuffer());
  await add("animated.gif", "changed", animation(10, 3).gif().toBuffer());
  await add("animated.webp", "changed", animation(10, 3).webp().toBuffer());
  await add("photo.avif", "changed", color(20, 10).avif({ effort: 0 }).toBuffer());
  await add("scan.tiff", "changed", color(20, 10).tiff().toBuffer());
  await add("large.jpg", "changed", color(4000, 3000).jpeg().toBuffer());
  await add("turned.jpg", "changed", color(4000, 3000).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  await add("sliver.png", "changed", blackPng(1, 100_000));
  await add("200-megapixels.png", "changed", blackPng(20_000, 10_000));
  await add("truncated.jpg", "changed", jpeg.subarray(0, jpeg.length >> 1));
  await add("1600-megapixels.png", "large", blackPng(40_000, 40_000));
  await add("truncated.png", "broken", png.subarray(0, png.length - 40));
  await add("header-only.png", "broken", png.subarray(0, 40));
  await add("signature-only.png", "broken", png.subarray(0, 8));
  await add("header-only.jpg", "broken", jpeg.subarray(0, 20));
  await add("damaged.png", "broken", damaged(png));
  await add("phone.heic", "broken", Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic0000mif1heic")]));
  await add("old.bmp", "broken", BMP);
  await add("drawing.svg", "broken", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"));
  await add("words.png", "broken", Buffer.from("this is not an image"));
  await add("empty.png", "broken", Buffer.alloc(0));
  await mkdir(path.join(folder, "folder.png"));
  animals.push({ name: "folder.png", path: path.join(folder, "folder.png"), outcome: "unreadable" });
  await promisify(execFile)("mkfifo", [path.join(folder, "pipe.png")]);
  animals.push({ name: "pipe.png", path: path.join(folder, "pipe.png"), outcome: "unreadable" });
  animals.push({ name: "/dev/zero", path: "/dev/zero", outcome: "unreadable" });
  animals.push({ name: "missing.png", path: path.join(folder, "missing.png"), outcome: "unreadable" });
  await add("sparse.png", "unreadable", png);
  await truncate(path.join(folder, "sparse.png"), 1024 ** 3 + 1);
  return animals;
}

function animation(side: number, pages: number): Sharp {
  const pixels = Buffer.alloc(side * side * pages * 3);
  pixels.forEach((_, at) => {
    pixels[at] = (at * 7) % 256;
  });
  return sharp(pixels, { raw: { width: side, height: side * pages, channels: 3, pageHeight: side } });
}

function damaged(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  const at = copy.indexOf("IDAT") + 6;
  copy.fill(0xff, at, at + 12);
  return copy;
}
