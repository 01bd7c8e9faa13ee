/**
 * A thread's waiting submissions as files of one folder: a file each, and one for an order that somebody chose.
 * Every change is one file that appears, is replaced or goes, so that no crash and no second program can lose another's.
 */
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { TurnInput } from "@turnkit/protocol";
import { validate } from "@turnkit/protocol/validate";
import type { QueuedInput } from "./queued-input.js";

const SUFFIX = ".json";
const ORDER = "order";
/** Ids become file names. */
const ID = /^[0-9a-zA-Z-]+$/;

export class QueueFolder {
  constructor(
    private readonly folder: string,
    private readonly warn: (message: string) => void,
  ) {}

  /** In order. A file that means nothing is put aside, so that it neither blocks the queue nor is lost. */
  async read(): Promise<readonly QueuedInput[]> {
    const names = (await listed(this.folder)).filter((name) => name.endsWith(SUFFIX)).sort();
    const rows = new Map<string, QueuedInput>();
    for (const name of names) {
      const row = await this.#readRow(name.slice(0, -SUFFIX.length));
      if (row) rows.set(row.id, row);
    }
    const first = (await this.#order()).filter((id) => rows.has(id));
    const rest = [...rows.keys()].filter((id) => !first.includes(id));
    return [...first, ...rest].map((id) => rows.get(id)!);
  }

  async #readRow(id: string): Promise<QueuedInput | undefined> {
    const file = this.#file(id);
    let text: string;
    try {
      text = await readFile(file, "utf8");
    } catch (error) {
      // Without the file somebody took it between listing and reading.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        this.warn(`${file} cannot be read and waits: ${(error as Error).message}`);
      return undefined;
    }
    const input = turnInput(text);
    if (input) return { id, content: input.content, clientId: input.client_id ?? id };
    this.warn(`${file} is no queued message; it is put aside as ${path.basename(file)}.unreadable`);
    await rename(file, `${file}.unreadable`).catch(() => {});
    return undefined;
  }

  async write({ id, content, clientId }: QueuedInput): Promise<void> {
    const input: TurnInput = { UserInput: { content: [...content], client_id: clientId } };
    await this.#replace(this.#file(id), JSON.stringify(input));
  }

  /** false: it was not there. @throws {Error} it is there and cannot be removed */
  async remove(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    try {
      await rm(this.#file(id));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
    // It is gone, whatever becomes of what is around it.
    await this.#tidy().catch(() => {});
    return true;
  }

  async #tidy(): Promise<void> {
    if ((await listed(this.folder)).some((name) => name !== ORDER)) return;
    await rm(path.join(this.folder, ORDER), { force: true });
    await rmdir(this.folder);
  }

  async writeOrder(ids: readonly string[]): Promise<void> {
    await this.#replace(path.join(this.folder, ORDER), JSON.stringify(ids));
  }

  async #order(): Promise<readonly string[]> {
    try {
      const ids: unknown = JSON.parse(await readFile(path.join(this.folder, ORDER), "utf8"));
      return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
    } catch {
      return [];
    }
  }

  #file(id: string): string {
    return path.join(this.folder, `${id}${SUFFIX}`);
  }

  /** On disk before it has its name: a reader never sees half of it, a crash never leaves half of it. */
  async #replace(file: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = `${file}.new`;
    await using handle = await open(temporary, "w", 0o600);
    await handle.writeFile(text);
    await handle.sync();
    await rename(temporary, file);
  }
}

async function listed(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function turnInput(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const checked = validate("TurnInput", value);
  return checked.ok && "UserInput" in checked.value && checked.value.UserInput.content.length > 0
    ? checked.value.UserInput
    : undefined;
}
