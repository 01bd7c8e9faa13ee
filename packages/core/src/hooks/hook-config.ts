/**
 * Reads hook declarations: the `hooks.json` of a folder and the `[hooks]` table of a configuration. Strict about what
 * it knows, and never fatal: what cannot be used becomes an error or a warning and nothing runs for it.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { HOOK_EVENTS, type HookEvent, hookEventByConfigName } from "./hook-event.js";
import { hookHash, hookKey } from "./hook-trust.js";

export type HookSourceKind = "user" | "project" | "managed" | "sessionFlags" | "unknown";

export interface CommandHandler {
  readonly event: HookEvent;
  readonly matcher: string | undefined;
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
  readonly async: boolean;
  readonly statusMessage: string | undefined;
  /** Tokens of context that may reach the model; 0: any number; undefined: the default. */
  readonly additionalContextLimit: number | undefined;
  /** Absolute path of the file that declares it. */
  readonly sourcePath: string;
  readonly source: HookSourceKind;
  /** Where it is declared; trust is kept under this name. */
  readonly key: string;
  /** What it does; trust holds for this alone. */
  readonly hash: string;
}

export interface HookDeclarations {
  readonly handlers: readonly CommandHandler[];
  /** Declarations that are understood and not supported. */
  readonly warnings: readonly string[];
  /** Files that could not be used at all. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

export const NO_HOOKS: HookDeclarations = { handlers: [], warnings: [], errors: [] };

export function joinDeclarations(all: readonly HookDeclarations[]): HookDeclarations {
  return {
    handlers: all.flatMap(({ handlers }) => handlers),
    warnings: all.flatMap(({ warnings }) => warnings),
    errors: all.flatMap(({ errors }) => errors),
  };
}

/** The `hooks.json` in a folder; nothing when there is none. */
export async function readHooksFile(folder: string, source: HookSourceKind): Promise<HookDeclarations> {
  const file = path.join(folder, "hooks.json");
  const failed = (message: string) => ({ ...NO_HOOKS, errors: [{ path: file, message }] });
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? NO_HOOKS : failed(message);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failed(`is not JSON: ${(error as Error).message}`);
  }
  if (!isTable(value)) return failed("must be an object");
  const unknown = Object.keys(value).find((key) => key !== "hooks" && key !== "description");
  if (unknown !== undefined) return failed(`${unknown} is not a known key`);
  return readHooksTable(value.hooks ?? {}, file, source);
}

/** @param file the file the table stands in */
export function readHooksTable(table: unknown, file: string, source: HookSourceKind): HookDeclarations {
  const reader = new Reader(file, source);
  try {
    reader.read(table);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { ...NO_HOOKS, errors: [{ path: file, message: error.message }] };
  }
  return { handlers: reader.handlers, warnings: reader.warnings, errors: [] };
}

class Misfit extends Error {}

type Table = { readonly [key: string]: unknown };

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const COMMAND_KEYS = new Set([
  "type",
  "command",
  "commandWindows",
  "timeout",
  "async",
  "statusMessage",
  "additionalContextLimit",
]);

class Reader {
  readonly handlers: CommandHandler[] = [];
  readonly warnings: string[] = [];

  constructor(
    private readonly file: string,
    private readonly source: HookSourceKind,
  ) {}

  read(table: unknown): void {
    if (!isTable(table)) throw new Misfit("hooks must be an object");
    for (const configName of Object.keys(table))
      if (configName !== "state" && !hookEventByConfigName(configName))
        throw new Misfit(`hooks.${configName} is not a known event`);
    // Numbering follows the table of events, not the order in the file.
    for (const event of Object.values(HOOK_EVENTS)) {
      const groups = table[event.configName];
      if (groups === undefined) continue;
      const at = `hooks.${event.configName}`;
      if (!Array.isArray(groups)) throw new Misfit(`${at} must be an array`);
      for (const [index, group] of groups.entries()) this.#group(event, group, index, `${at}[${index}]`);
    }
  }

  #group(event: HookEvent, group: unknown, groupIndex: number, at: string): void {
    if (!isTable(group)) throw new Misfit(`${at} must be an object`);
    const { matcher, hooks } = group;
    if (matcher !== undefined && matcher !== null && typeof matcher !== "string")
      throw new Misfit(`${at}.matcher must be a string`);
    if (!Array.isArray(hooks)) throw new Misfit(`${at}.hooks must be an array`);
    for (const [index, handler] of hooks.entries())
      this.#handler(event, matcher ?? undefined, handler, [groupIndex, index], `${at}.hooks[${index}]`);
  }

  #handler(
    event: HookEvent,
    matcher: string | undefined,
    handler: unknown,
    position: readonly [number, number],
    at: string,
  ): void {
    if (!isTable(handler)) throw new Misfit(`${at} must be an object`);
    if (handler.type === "prompt" || handler.type === "agent" || handler.type === "mcp_tool") {
      this.warnings.push(
        `${this.file}: ${at} is a hook of type ${handler.type}, which is not supported; it is skipped`,
      );
      return;
    }
    if (handler.type !== "command") throw new Misfit(`${at}.type must be one of command, mcp_tool, prompt, agent`);
    const unknown = Object.keys(handler).find((key) => !COMMAND_KEYS.has(key));
    if (unknown !== undefined) throw new Misfit(`${at}.${unknown} is not a known key`);
    const { command } = handler;
    if (typeof command !== "string") throw new Misfit(`${at}.command must be a string`);
    if (command.trim() === "") {
      this.warnings.push(`${this.file}: ${at}.command is empty; the hook is skipped`);
      return;
    }
    const timeout = count(handler.timeout, `${at}.timeout`) ?? event.defaultTimeout;
    const declared = {
      command,
      timeout: Math.min(Math.max(timeout, 1), event.maxTimeout),
      async: flag(handler.async, `${at}.async`),
      statusMessage: optionalText(handler.statusMessage, `${at}.statusMessage`),
      additionalContextLimit: count(handler.additionalContextLimit, `${at}.additionalContextLimit`),
    };
    this.handlers.push({
      event,
      matcher,
      ...declared,
      sourcePath: this.file,
      source: this.source,
      key: hookKey(this.file, event, position),
      hash: hookHash(event, event.matches ? matcher : undefined, declared),
    });
  }
}

function count(value: unknown, at: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new Misfit(`${at} must be a whole number that is not negative`);
  return value;
}

function flag(value: unknown, at: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw new Misfit(`${at} must be true or false`);
  return value;
}

function optionalText(value: unknown, at: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new Misfit(`${at} must be a string`);
  return value;
}
