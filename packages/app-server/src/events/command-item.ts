/** Command and patch items from events that are not whole items. Pure. */
import type { EventMsg, ParsedCommand, TurnItem } from "@turnkit/protocol";
import { joinCommandWords, pathOfPlace, type ThreadItem, toCommandAction } from "@turnkit/protocol/app";

export type CommandItem = Extract<ThreadItem, { type: "commandExecution" }>;

/** The item shown while a command waits for a person, before it has a process. */
export function toPendingCommandItem(request: {
  readonly call_id: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly parsed_cmd: readonly ParsedCommand[];
}): CommandItem {
  const cwd = pathOfPlace(request.cwd);
  return {
    type: "commandExecution",
    id: request.call_id,
    pluginId: null,
    scriptPath: null,
    command: joinCommandWords(request.command),
    cwd,
    processId: null,
    source: "agent",
    status: "inProgress",
    commandActions: request.parsed_cmd.map((action) => toCommandAction(action, cwd)),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
  };
}

type CommandMirror = Extract<EventMsg, { type: "exec_command_begin" | "exec_command_end" }>;

/** The item that a mirror event stands for. */
export function toCommandTurnItem(msg: CommandMirror): Extract<TurnItem, { type: "CommandExecution" }> {
  const { call_id, type, turn_id, started_at_ms, ...members } = msg;
  return { type: "CommandExecution", id: call_id, status: "in_progress", ...members };
}

type PatchMirror = Extract<EventMsg, { type: "patch_apply_begin" | "patch_apply_end" }>;

/** The item that a mirror event stands for. */
export function toPatchTurnItem(msg: PatchMirror): Extract<TurnItem, { type: "FileChange" }> {
  const changes = msg.changes ?? {};
  if (msg.type === "patch_apply_begin") return { type: "FileChange", id: msg.call_id, changes, status: "in_progress" };
  return { type: "FileChange", id: msg.call_id, changes, status: msg.status ?? (msg.success ? "completed" : "failed") };
}
