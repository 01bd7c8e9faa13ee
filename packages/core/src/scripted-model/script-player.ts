/**
 * Plays a script file: which entry answers the next request, and what it says.
 * Owns the position in the script; the request is the only thing templates and conditions see.
 */
import { customToolCall, functionCall, message, type OutputItem, reasoning } from "./output-item.js";
import { RequestFacts } from "./request-facts.js";
import type { Script, ScriptCondition, ScriptEntry, ScriptItem } from "./script.js";
import type { ResponseSource, ScriptedResponse } from "./scripted-response.js";
import { render, renderAll, TemplateError, type TemplateScope } from "./template.js";

export function scriptedResponses(script: Script): ResponseSource {
  return new ScriptPlayer(script);
}

interface Position {
  readonly entry: ScriptEntry;
  readonly path: string;
}

class ScriptPlayer implements ResponseSource {
  readonly #fileName: string;
  readonly #once: readonly Position[];
  readonly #repeat: readonly Position[];
  /** Counts entries passed; past the end of `#once` it goes round `#repeat`. */
  #index = 0;
  #round = 0;

  constructor(script: Script) {
    this.#fileName = script.fileName;
    this.#once = script.responses.map((entry, index) => ({ entry, path: `responses[${index}]` }));
    this.#repeat = script.repeat.map((entry, index) => ({ entry, path: `repeat[${index}]` }));
  }

  next(body: unknown): ScriptedResponse | undefined {
    const facts = new RequestFacts(body);
    // Each entry is looked at once at most, so conditions that never hold cannot go round forever.
    const last = Math.max(this.#index, this.#once.length) + this.#repeat.length;
    for (; this.#index <= last; this.#advance()) {
      const position = this.#position();
      if (position === undefined) return undefined;
      const scope: TemplateScope = { facts, round: this.#round + 1 };
      if (!this.#applies(position, scope)) continue;
      const response = this.#render(position, scope);
      if (position.entry.until === undefined) this.#advance();
      else this.#countRound(position);
      return response;
    }
    return undefined;
  }

  #position(): Position | undefined {
    const once = this.#once[this.#index];
    if (once !== undefined || this.#repeat.length === 0) return once;
    return this.#repeat[(this.#index - this.#once.length) % this.#repeat.length];
  }

  #advance(): void {
    this.#index += 1;
    this.#round = 0;
  }

  #applies({ entry }: Position, scope: TemplateScope): boolean {
    return (
      (entry.when === undefined || holds(entry.when, scope)) &&
      (entry.until === undefined || !holds(entry.until, scope))
    );
  }

  #countRound({ entry, path }: Position): void {
    this.#round += 1;
    const limit = entry.limit ?? 100;
    if (this.#round > limit) throw new Error(`${this.#fileName}: ${path}.until did not hold after ${limit} times`);
  }

  #render({ entry, path }: Position, scope: TemplateScope): ScriptedResponse {
    const { comment: _c, when: _w, until: _u, limit: _l, items, failed, errorBody, ...rest } = entry;
    const at = <T>(member: string, run: () => T): T => this.#at(`${path}.${member}`, run);
    return {
      ...rest,
      ...(items && { items: items.map((item, index) => at(`items[${index}]`, () => outputItem(item, scope))) }),
      ...(failed && {
        failed: { ...failed, message: at("failed.message", () => String(render(failed.message, scope))) },
      }),
      ...(errorBody !== undefined && { errorBody: at("errorBody", () => renderAll(errorBody, scope)) }),
    };
  }

  /** Adds file and place to what a template could not find. */
  #at<T>(path: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof TemplateError)
        throw new Error(`${this.#fileName}: ${path}: ${error.message}`, { cause: error });
      throw error;
    }
  }
}

/** A condition whose template finds nothing does not hold. */
function holds(condition: ScriptCondition, scope: TemplateScope): boolean {
  try {
    return evaluate(condition, scope);
  } catch (error) {
    if (error instanceof TemplateError) return false;
    throw error;
  }
}

function evaluate(condition: ScriptCondition, scope: TemplateScope): boolean {
  const { facts } = scope;
  const call = (template: string): string => String(render(template, scope));
  const { hasOutput, lacksOutput, running, exited, matches, not } = condition;
  return (
    (hasOutput === undefined || facts.rawOutput(call(hasOutput)) !== undefined) &&
    (lacksOutput === undefined || facts.rawOutput(call(lacksOutput)) === undefined) &&
    (running === undefined || facts.session(call(running)) !== undefined) &&
    (exited === undefined || facts.exitCode(call(exited)) !== undefined) &&
    (matches === undefined || new RegExp(matches.pattern, "u").test(String(render(matches.text, scope)))) &&
    (not === undefined || !holds(not, scope))
  );
}

function outputItem(item: ScriptItem, scope: TemplateScope): OutputItem {
  const text = (template: string): string => String(render(template, scope));
  const id = (template: string | undefined): string | undefined =>
    template === undefined ? undefined : text(template);
  switch (item.type) {
    case "message":
      return { ...message(text(item.text)), ...(item.phase === undefined ? {} : { phase: item.phase }) };
    case "reasoning":
      return reasoning(
        typeof item.summary === "string" ? text(item.summary) : item.summary.map(text),
        id(item.content),
      );
    case "function_call":
      return functionCall(
        text(item.name),
        typeof item.arguments === "string" ? text(item.arguments) : renderAll(item.arguments, scope),
        id(item.call_id),
      );
    case "custom_tool_call":
      return customToolCall(text(item.name), text(item.input), id(item.call_id));
    case "raw":
      return renderAll(item.item, scope) as OutputItem;
  }
}
