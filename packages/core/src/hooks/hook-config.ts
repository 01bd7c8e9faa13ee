/**
 * Reads hook declarations: the `hooks.json` of a folder and the `[hooks]` table of a configuration. Strict about what
 * it knows, and never fatal: what cannot be used becomes an error or a warning and nothing runs for it.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { HookGroup, HookHandler, HooksTable } from "@turnkit/protocol";
import { formatIssue, validate } from "@turnkit/protocol/validate";
import { HOOK_EVENTS, type HookEvent } from "./hook-event.js";
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
  const read = validate("HooksFile", value);
  if (!read.ok) return failed(read.issues.map((issue) => formatIssue(issue)).join("; "));
  return declared(read.value.hooks ?? {}, file, source);
}

/** @param file the file the table stands in */
export function readHooksTable(table: unknown, file: string, source: HookSourceKind): HookDeclarations {
  const read = validate("HooksTable", table);
  if (read.ok) return declared(read.value, file, source);
  const message = read.issues.map((issue) => formatIssue(issue, "hooks")).join("; ");
  return { ...NO_HOOKS, errors: [{ path: file, message }] };
}

function declared(table: HooksTable, file: string, source: HookSourceKind): HookDeclarations {
  const reader = new Reader(file, source);
  reader.read(table);
  return { handlers: reader.handlers, warnings: reader.warnings, errors: [] };
}

class Reader {
  readonly handlers: CommandHandler[] = [];
  readonly warnings: string[] = [];

  constructor(
    private readonly file: string,
    private readonly source: HookSourceKind,
  ) {}

  /** Numbering follows the table of events, not the order in the file. */
  read(table: HooksTable): void {
    for (const event of Object.values(HOOK_EVENTS)) {
      const at = `hooks.${event.configName}`;
      for (const [index, group] of (table[event.configName] ?? []).entries())
        this.#group(event, group, index, `${at}[${index}]`);
    }
  }

  #group(event: HookEvent, { matcher, hooks }: HookGroup, groupIndex: number, at: string): void {
    for (const [index, handler] of hooks.entries())
      this.#handler(event, matcher ?? undefined, handler, [groupIndex, index], `${at}.hooks[${index}]`);
  }

  #handler(
    event: HookEvent,
    matcher: string | undefined,
    handler: HookHandler,
    position: readonly [number, number],
    at: string,
  ): void {
    if (handler.type !== "command") {
      this.warnings.push(
        `${this.file}: ${at} is a hook of type ${handler.type}, which is not supported; it is skipped`,
      );
      return;
    }
    const { command } = handler;
    if (command.trim() === "") {
      this.warnings.push(`${this.file}: ${at}.command is empty; the hook is skipped`);
      return;
    }
    const timeout = handler.timeout ?? event.defaultTimeout;
    const declared = {
      command,
      timeout: Math.min(Math.max(timeout, 1), event.maxTimeout),
      async: handler.async ?? false,
      statusMessage: handler.statusMessage ?? undefined,
      additionalContextLimit: handler.additionalContextLimit ?? undefined,
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
