/**
 * What a model request tells a script: earlier tool outputs, answers, session ids, what the user said.
 * Reads the request leniently: what it does not understand it does not see.
 */

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** Joins the text parts of a content or output value. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part) => fields(part).text)
    .filter((text) => typeof text === "string")
    .join("\n");
}

const terminalHeader = /^(?:Chunk ID: .*\n)?Wall time: [\s\S]*?\nOutput:\n/;
/** Context that harnesses put into user messages, such as `<environment_context>…</environment_context>`. */
const contextMessage = /^\s*<([a-z_]+)>[\s\S]*<\/\1>\s*$|^# AGENTS\.md instructions/;

export class RequestFacts {
  readonly #input: readonly Fields[];
  readonly #body: Fields;

  constructor(body: unknown) {
    this.#body = fields(body);
    const { input } = this.#body;
    this.#input = Array.isArray(input) ? input.map(fields) : [];
  }

  get model(): string {
    return typeof this.#body.model === "string" ? this.#body.model : "";
  }

  /** The whole text of the latest output of this call; `*` is any call. */
  rawOutput(callId: string): string | undefined {
    const item = this.#input.findLast(({ type, call_id }) => isOutput(type) && (callId === "*" || call_id === callId));
    return item === undefined ? undefined : textOf(item.output);
  }

  /** The latest output of this call without the header that terminal tools put before it. */
  output(callId: string): string | undefined {
    return this.rawOutput(callId)?.replace(terminalHeader, "");
  }

  /** The session id that this call's output names while its program runs. */
  session(callId: string): number | undefined {
    return this.#headerNumber(callId, /^Process running with session ID (\d+)$/m);
  }

  exitCode(callId: string): number | undefined {
    return this.#headerNumber(callId, /^Process exited with code (-?\d+)$/m);
  }

  /** The answers to a question of the latest answered `request_user_input` call that had it. */
  answers(questionId: string): readonly string[] | undefined {
    const asked = new Set(
      this.#input
        .filter(({ type, name }) => type === "function_call" && name === "request_user_input")
        .map((item) => item.call_id),
    );
    for (const item of this.#input.toReversed()) {
      if (!isOutput(item.type) || !asked.has(item.call_id)) continue;
      const { answers } = fields(fields(fields(parse(textOf(item.output))).answers)[questionId]);
      if (Array.isArray(answers)) return answers.map(String);
    }
    return undefined;
  }

  /** What the user typed last; messages that only carry context do not count. */
  lastUserText(): string | undefined {
    return this.userTexts().at(-1);
  }

  userTexts(): string[] {
    return this.#input
      .filter(({ type, role }) => (type === undefined || type === "message") && role === "user")
      .map(({ content }) => textOf(content))
      .filter((text) => text !== "" && !contextMessage.test(text));
  }

  #headerNumber(callId: string, pattern: RegExp): number | undefined {
    const header = terminalHeader.exec(this.rawOutput(callId) ?? "")?.[0];
    const found = header === undefined ? undefined : pattern.exec(header)?.[1];
    return found === undefined ? undefined : Number(found);
  }
}

function isOutput(type: unknown): boolean {
  return type === "function_call_output" || type === "custom_tool_call_output";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
