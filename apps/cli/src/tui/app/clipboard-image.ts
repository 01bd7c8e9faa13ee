/**
 * Reads an image from the clipboard with whichever program the system has for it, and keeps it in a private file until
 * the interface ends.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export type ClipboardImage =
  | { readonly kind: "image"; readonly bytes: Buffer; readonly extension: string }
  /** The clipboard was read; no image is in it. */
  | { readonly kind: "none" }
  /** There is no program that can read it. */
  | { readonly kind: "unreadable" };

const TYPES: readonly (readonly [mime: string, extension: string])[] = [
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["image/gif", "gif"],
  ["image/bmp", "bmp"],
  ["image/tiff", "tiff"],
];
const TIMEOUT_MS = 5000;
const MAX_BYTES = 1 << 27;

/** What a program printed; null when it failed; "missing" when there is no such program. */
function output(program: string, args: readonly string[]): Promise<Buffer | "missing" | null> {
  const options = { encoding: "buffer", timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES } as const;
  return new Promise((resolve) => {
    execFile(program, [...args], options, (error, stdout) => {
      if (!error) resolve(stdout);
      else resolve("code" in error && error.code === "ENOENT" ? "missing" : null);
    });
  });
}

type Reader = () => Promise<ClipboardImage>;

const fromBytes = (bytes: Buffer | "missing" | null, extension: string): ClipboardImage => {
  if (bytes === "missing") return { kind: "unreadable" };
  return bytes && bytes.length > 0 ? { kind: "image", bytes, extension } : { kind: "none" };
};

/** Programs that list the types of what they hold, and give one of them. */
const typed =
  (program: string, list: readonly string[], take: (mime: string) => readonly string[]): Reader =>
  async () => {
    const types = await output(program, list);
    if (types === "missing") return { kind: "unreadable" };
    const held = new Set((types ?? "").toString().split(/\s+/));
    const found = TYPES.find(([mime]) => held.has(mime));
    return found ? fromBytes(await output(program, take(found[0])), found[1]) : { kind: "none" };
  };

const POWERSHELL = [
  "Add-Type -AssemblyName System.Windows.Forms, System.Drawing",
  "$image = [Windows.Forms.Clipboard]::GetImage()",
  "if ($image) { $bytes = New-Object IO.MemoryStream",
  "$image.Save($bytes, [Drawing.Imaging.ImageFormat]::Png)",
  "[Convert]::ToBase64String($bytes.ToArray()) }",
].join("; ");

const READERS: readonly Reader[] = [
  typed("wl-paste", ["--list-types"], (mime) => ["--no-newline", "--type", mime]),
  typed("xclip", ["-selection", "clipboard", "-t", "TARGETS", "-o"], (mime) => [
    ..."-selection clipboard -o -t".split(" "),
    mime,
  ]),
  async () => fromBytes(await output("pngpaste", ["-"]), "png"),
  async () => {
    const text = await output("powershell.exe", ["-NoProfile", "-NonInteractive", "-STA", "-Command", POWERSHELL]);
    return fromBytes(text && text !== "missing" ? Buffer.from(text.toString().trim(), "base64") : text, "png");
  },
];

export async function readClipboardImage(): Promise<ClipboardImage> {
  let result: ClipboardImage = { kind: "unreadable" };
  for (const read of READERS) {
    const image = await read();
    if (image.kind === "image") return image;
    if (image.kind === "none") result = image;
  }
  return result;
}

/** Files that live as long as the interface: a draft may be sent, recalled and sent again. */
export class ClipboardFiles implements Disposable {
  #folder: string | null = null;
  #count = 0;

  /** The absolute path of a new file that only this person can read. */
  save(bytes: Buffer, extension: string): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), "turnkit-clipboard-"));
    this.#count += 1;
    const file = path.join(this.#folder, `image-${this.#count}.${extension}`);
    writeFileSync(file, bytes, { mode: 0o600, flag: "wx" });
    return file;
  }

  [Symbol.dispose](): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }
}
