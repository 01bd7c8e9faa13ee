/** The packed corpus: session files of 36 released versions, and what the newest reference reader made of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import {
  collectRollout,
  type LoadAncestor,
  parseRolloutFileName,
  type ReadRolloutOptions,
  type RolloutRecord,
} from "../../src/rollout/index.js";

const folder = join(import.meta.dirname, "..", "..", "fixtures", "rollouts");

function unpack(name: string): unknown {
  return JSON.parse(brotliDecompressSync(readFileSync(join(folder, `${name}.json.br`))).toString());
}

export const versions = readdirSync(folder)
  .map((name) => name.replace(/\.json\.br$/, ""))
  .filter((name) => /^\d/.test(name))
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

const bundles = new Map<string, Record<string, string>>();

/** File name to text; names ending in `.zst` to base64. */
export function bundle(name: string): Record<string, string> {
  let files = bundles.get(name);
  if (!files) {
    files = unpack(name) as Record<string, string>;
    bundles.set(name, files);
  }
  return files;
}

export function text(version: string, file: string): string {
  const found = bundle(version)[file];
  if (found === undefined) throw new Error(`the corpus has no ${version}/${file}`);
  return found;
}

export function plainFiles(version: string): string[] {
  return Object.keys(bundle(version)).filter((name) => name.endsWith(".jsonl"));
}

export async function* bytesOf(...parts: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
}

export function read(content: string | Uint8Array, options?: ReadRolloutOptions): Promise<RolloutRecord[]> {
  return collectRollout(bytesOf(content), options);
}

export interface ResumedRow {
  readonly from: string;
  readonly file: string;
  readonly resume: string;
  readonly thread: {
    readonly source: unknown;
    readonly historyMode: string;
    readonly cliVersion: string;
    readonly preview: string;
    readonly forkedFromId: string | null;
  };
  readonly turns: readonly { readonly status: string; readonly items: readonly string[] }[];
  readonly input: readonly string[];
}

export const resumed = unpack("resumed-by-0.171.0") as ResumedRow[];
export const mutations = unpack("mutations-by-0.171.0") as Record<string, Record<string, string>>;
const manifest = unpack("MANIFEST") as Record<string, Record<string, string>>;

/** The name that the program gave a file. */
export function originalName(version: string, file: string): string {
  const name = manifest[version]?.[file];
  if (name === undefined) throw new Error(`the corpus does not know what ${version}/${file} was called`);
  return name;
}

/** Finds an ancestor among the files of one version by the identity in its original name. */
export function ancestorsOf(version: string, self: string): LoadAncestor {
  return async (base) => {
    for (const [file, original] of Object.entries(manifest[version] ?? {})) {
      const name = parseRolloutFileName(original);
      if (file === self || !file.endsWith(".jsonl") || name?.rolloutId !== undefined) continue;
      if (name?.threadId === base.thread_id) return read(text(version, file));
    }
    return undefined;
  };
}
