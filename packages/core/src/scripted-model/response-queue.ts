/** A queue of responses played in strict order. Owns which response answers which request. */
import type { ResponseSource, ScriptedResponse } from "./scripted-response.js";

export class ResponseQueue implements ResponseSource {
  readonly #responses: ScriptedResponse[];

  constructor(responses: Iterable<ScriptedResponse> = []) {
    this.#responses = [...responses];
  }

  get length(): number {
    return this.#responses.length;
  }

  push(...responses: readonly ScriptedResponse[]): void {
    this.#responses.push(...responses);
  }

  clear(): void {
    this.#responses.length = 0;
  }

  next(body: unknown): ScriptedResponse | undefined {
    const index = this.#responses.findIndex((response) => response.match === undefined || response.match(body));
    return index < 0 ? undefined : this.#responses.splice(index, 1)[0];
  }
}
