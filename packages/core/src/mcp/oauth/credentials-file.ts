/**
 * `.credentials.json` in the home folder, readable by its owner only: the tokens of MCP servers. Owns its layout, which
 * is the reference's. The file is replaced in one step, and is gone with its last entry.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { McpCredentialsEntry, McpCredentialsFile } from "@turnkit/protocol";
import { validate } from "@turnkit/protocol/validate";
import { McpError } from "../errors.js";
import { oneAtATime } from "./one-at-a-time.js";

/** A token this close to its end counts as expired. */
const EARLY_MS = 30_000;

export class CredentialsFile {
  readonly file: string;

  constructor(readonly home: string) {
    this.file = path.join(home, ".credentials.json");
  }

  /** @throws {McpError} the file cannot be read */
  async find(server: string, url: string): Promise<McpCredentialsEntry | undefined> {
    const entries = await this.#read();
    const key = keyOf(server, url);
    return Object.hasOwn(entries, key) ? entries[key] : undefined;
  }

  /** @throws {McpError} the file cannot be read */
  async put(entry: McpCredentialsEntry): Promise<void> {
    await this.#change((entries) => {
      entries[keyOf(entry.server_name, entry.server_url)] = entry;
      return true;
    });
  }

  /** Whether there was one. @throws {McpError} the file cannot be read */
  remove(server: string, url: string): Promise<boolean> {
    const key = keyOf(server, url);
    return this.#change((entries) => {
      const found = Object.hasOwn(entries, key);
      delete entries[key];
      return found;
    });
  }

  #change(edit: (entries: McpCredentialsFile) => boolean): Promise<boolean> {
    return oneAtATime(this.file, async () => {
      const entries = await this.#read();
      if (!edit(entries)) return false;
      if (Object.keys(entries).length === 0) await rm(this.file, { force: true });
      else await this.#write(JSON.stringify(entries));
      return true;
    });
  }

  async #write(text: string): Promise<void> {
    await mkdir(this.home, { recursive: true });
    const part = `${this.file}.${randomUUID()}.part`;
    await writeFile(part, text, { mode: 0o600, flag: "wx" });
    await rename(part, this.file);
  }

  async #read(): Promise<McpCredentialsFile> {
    const text = await readFile(this.file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "{}";
      throw new McpError(`${this.file} cannot be read: ${error.code ?? error.message}`, false, { cause: error });
    });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // The parser's own words would quote what stands in the file.
      throw new McpError(`${this.file} is not JSON`);
    }
    const result = validate("McpCredentialsFile", value);
    if (result.ok) return result.value;
    const [issue] = result.issues;
    throw new McpError(`${this.file}: ${issue?.path ?? ""} ${issue?.message ?? "is not valid"}`);
  }
}

export function isExpired({ expires_at: at }: McpCredentialsEntry, nowMs = Date.now()): boolean {
  return at != null && at < nowMs + EARLY_MS;
}

/** A server is known by its name and a digest of how it is reached. */
function keyOf(server: string, url: string): string {
  const digest = createHash("sha256").update(JSON.stringify({ type: "http", url, headers: {} }));
  return `${server}|${digest.digest("hex").slice(0, 16)}`;
}
