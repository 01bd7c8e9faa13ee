/** The command execution item as clients see it, from a turn item or from an approval request. Pure. */

import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ParsedCommand, TurnItem } from "@turnkit/protocol";
import type { CommandAction, CommandExecutionSource, CommandExecutionStatus, ThreadItem } from "@turnkit/protocol/app";
import { camelCase } from "./casing.js";
import { joinShellWords } from "./shell-words.js";

type CoreCommand = Extract<TurnItem, { type: "CommandExecution" }>;
export type CommandItem = Extract<ThreadItem, { type: "commandExecution" }>;

/** Newer files write the folder as a file URI, older ones as a path. */
export function nativePath(place: string): string {
  return place.startsWith("file://") ? fileURLToPath(place) : place;
}

export function toCommandActions(parsed: readonly ParsedCommand[], cwd: string): CommandAction[] {
  return parsed.map((action) => toCommandAction(action, cwd));
}

function toCommandAction(action: ParsedCommand, cwd: string): CommandAction {
  switch (action.type) {
    case "read":
      return {
        type: "read",
        command: action.cmd,
        name: action.name,
        path: isAbsolute(action.path) ? action.path : join(cwd, action.path),
      };
    case "list_files":
      return { type: "listFiles", command: action.cmd, path: action.path ?? null };
    case "search":
      return { type: "search", command: action.cmd, query: action.query ?? null, path: action.path ?? null };
    case "unknown":
      return { type: "unknown", command: action.cmd };
  }
}

export function durationMs(duration: { secs: number; nanos: number } | null | undefined): number | null {
  return duration == null ? null : duration.secs * 1000 + Math.floor(duration.nanos / 1_000_000);
}

export function toCommandItem(item: CoreCommand): CommandItem {
  const cwd = nativePath(item.cwd);
  const running = item.status === "in_progress";
  return {
    type: "commandExecution",
    id: item.id,
    pluginId: item.plugin_id ?? null,
    scriptPath: item.script_path ?? null,
    command: joinShellWords(item.command),
    cwd,
    processId: item.process_id ?? null,
    source: camelCase(item.source ?? "agent") as CommandExecutionSource,
    status: camelCase(item.status) as CommandExecutionStatus,
    commandActions: toCommandActions(item.parsed_cmd, cwd),
    aggregatedOutput: running || !item.aggregated_output ? null : item.aggregated_output,
    exitCode: running ? null : (item.exit_code ?? null),
    durationMs: running ? null : durationMs(item.duration),
  };
}

/** The item shown while a command waits for a person, before it has a process. */
export function toPendingCommandItem(request: {
  readonly call_id: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly parsed_cmd: readonly ParsedCommand[];
}): CommandItem {
  const cwd = nativePath(request.cwd);
  return {
    type: "commandExecution",
    id: request.call_id,
    pluginId: null,
    scriptPath: null,
    command: joinShellWords(request.command),
    cwd,
    processId: null,
    source: "agent",
    status: "inProgress",
    commandActions: toCommandActions(request.parsed_cmd, cwd),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  };
}
