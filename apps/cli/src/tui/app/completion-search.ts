/**
 * Asks the server for files and skills that could complete a word: one question at a time, because servers may take
 * questions that come together in any order, and only the latest word's answer counts. A server that cannot search is
 * asked once and then left alone.
 */
import type { AppConnection } from "../../client/app-connection.js";
import type { Found, Search } from "../composer/completion.js";

const METHOD_NOT_FOUND = -32601;

export class CompletionSearch {
  /** What to ask when the answer that is on its way has come. */
  #next: (() => Promise<void>) | null = null;
  #asking = false;
  readonly #unknown = new Set<Search["kind"]>();
  readonly #token = `turnkit-${crypto.randomUUID()}`;

  constructor(
    private readonly connection: AppConnection,
    private readonly found: (found: Found) => void,
  ) {}

  async ask(search: Search, cwd: string): Promise<void> {
    this.#next = () => this.#ask(search, cwd);
    if (this.#asking) return;
    this.#asking = true;
    while (this.#next) {
      const ask: () => Promise<void> = this.#next;
      this.#next = null;
      await ask();
    }
    this.#asking = false;
  }

  async #ask(search: Search, cwd: string): Promise<void> {
    if (this.#unknown.has(search.kind)) return;
    try {
      const found = search.kind === "file" ? await this.#files(search.query, cwd) : await this.#skills(cwd);
      if (!this.#next) this.found(found);
    } catch (error) {
      // A list that cannot be had is not worth a word: the person goes on typing.
      if (error instanceof Error && "code" in error && error.code === METHOD_NOT_FOUND) this.#unknown.add(search.kind);
    }
  }

  async #files(query: string, cwd: string): Promise<Found> {
    const params = { query, roots: [cwd], cancellationToken: this.#token };
    const { files } = await this.connection.request("fuzzyFileSearch", params);
    const rows = files.map(({ root, path, match_type }) => ({ root, path, directory: match_type === "directory" }));
    return { kind: "file", query, rows };
  }

  async #skills(cwd: string): Promise<Found> {
    const { data } = await this.connection.request("skills/list", { cwds: [cwd] });
    const rows = data
      .flatMap((entry) => entry.skills)
      .filter((skill) => skill.enabled)
      .map((skill) => ({ name: skill.name, description: skill.shortDescription ?? skill.description }));
    return { kind: "skill", rows };
  }
}
