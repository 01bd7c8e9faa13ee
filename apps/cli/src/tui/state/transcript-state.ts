/**
 * From what the server tells to the cells of a transcript. Pure: (state, notification) → state.
 * Cells are live until nothing can change them; then they move, in order, to `done`, from where they are drawn for good.
 */

import type { ThreadItem } from "@turnkit/protocol/app";
import type { ServerNotification } from "../../client/app-connection.js";
import type { Cell, TerminalCell } from "../transcript/cells.js";
import { errorText } from "../transcript/error-text.js";
import { finalLength } from "../transcript/markdown.js";
import { commandCell, itemCell, userCell } from "./item-cells.js";
import { type ReasoningShown, reasoningDelta, reasoningText } from "./reasoning-shown.js";

export interface LiveCell {
  readonly cell: Cell;
  readonly settled: boolean;
}

/** A terminal that was seen to start in this session and has not ended. */
export interface KnownTerminal {
  readonly itemId: string;
  readonly processId: string;
  readonly command: string;
}

export interface TranscriptState {
  readonly live: readonly LiveCell[];
  /** Finished cells that wait to be drawn. */
  readonly done: readonly Cell[];
  readonly terminals: readonly KnownTerminal[];
  readonly turnId: string | null;
  /** Of the last turn that ended: its final message, and how it ended. */
  readonly lastTurn: { readonly id: string; readonly status: string } | null;
  readonly reasoning: ReasoningShown;
}

export const emptyTranscript: TranscriptState = {
  live: [],
  done: [],
  terminals: [],
  turnId: null,
  lastTurn: null,
  reasoning: "summary",
};

const OUTPUT_LIMIT = 262_144;

function bounded(output: string): string {
  if (output.length <= OUTPUT_LIMIT) return output;
  const half = OUTPUT_LIMIT / 2;
  return `${output.slice(0, half)}\n…\n${output.slice(-half)}`;
}

/** Moves settled cells from the front of `live` to `done`. */
function settle(state: TranscriptState): TranscriptState {
  let count = 0;
  while (state.live[count]?.settled) count += 1;
  if (count === 0) return state;
  return {
    ...state,
    live: state.live.slice(count),
    done: [...state.done, ...state.live.slice(0, count).map((entry) => entry.cell)],
  };
}

export function pushCell(state: TranscriptState, cell: Cell, settled = true): TranscriptState {
  return settle({ ...state, live: [...state.live, { cell, settled }] });
}

function replaceLast(
  state: TranscriptState,
  matches: (cell: Cell) => boolean,
  change: (cell: Cell) => LiveCell | null,
): TranscriptState | null {
  const index = state.live.findLastIndex((entry) => !entry.settled && matches(entry.cell));
  const found = state.live[index];
  if (!found) return null;
  const changed = change(found.cell);
  const live = changed ? state.live.with(index, changed) : state.live.toSpliced(index, 1);
  return settle({ ...state, live });
}

/** Ends what is live because something else begins: commands that yielded, output that was not asked for. */
function freeze(state: TranscriptState, all: boolean): TranscriptState {
  const live = state.live.map((entry): LiveCell => {
    const { cell } = entry;
    if (cell.kind === "command" && cell.status === "running") {
      return cell.processId === null && !all ? entry : { cell: { ...cell, status: "yielded" }, settled: true };
    }
    if (cell.kind === "terminal") return { cell, settled: true };
    return all ? { cell, settled: true } : entry;
  });
  return settle({ ...state, live: live.filter(({ cell }) => cell.kind !== "reasoning" || !all || cell.text !== "") });
}

const hasId =
  (kind: Cell["kind"], itemId: string) =>
  (cell: Cell): boolean =>
    cell.kind === kind && "itemId" in cell && cell.itemId === itemId;

export function reduceTranscript(state: TranscriptState, notification: ServerNotification): TranscriptState {
  const { method, params } = notification;
  switch (method) {
    case "turn/started":
      return { ...state, turnId: params.turn.id };
    case "turn/completed": {
      const ended = freeze(
        { ...state, turnId: null, lastTurn: { id: params.turn.id, status: params.turn.status } },
        true,
      );
      if (params.turn.status === "interrupted") {
        return pushCell(ended, { kind: "notice", level: "warning", text: "Interrupted. Say what to do differently." });
      }
      return ended;
    }
    case "item/started":
      return itemStarted(state, params.item);
    case "item/completed":
      return itemCompleted(state, params.item);
    case "item/agentMessage/delta":
      return agentDelta(state, params.itemId, params.delta);
    case "item/reasoning/textDelta":
    case "item/reasoning/summaryTextDelta":
    case "item/reasoning/summaryPartAdded": {
      const text = reasoningDelta(notification, state.reasoning);
      if (text === null) return state;
      return (
        replaceLast(state, hasId("reasoning", params.itemId), (cell) => ({
          cell: cell.kind === "reasoning" ? { ...cell, text: (cell.text + text).replace(/^\n+/, "") } : cell,
          settled: false,
        })) ?? state
      );
    }
    case "item/commandExecution/outputDelta":
      return commandOutput(state, params.itemId, params.delta);
    case "item/commandExecution/terminalInteraction":
      return interaction(state, params.itemId, params.processId, params.stdin);
    case "turn/plan/updated":
      return pushCell(freeze(state, false), {
        kind: "plan",
        explanation: params.explanation ?? null,
        steps: params.plan,
      });
    case "error": {
      const { message, additionalDetails } = params.error;
      const text = [message, additionalDetails].flatMap((part) => (part ? [errorText(part)] : [])).join("\n");
      if (params.willRetry)
        return pushCell(state, { kind: "notice", level: "warning", text: `${text} (trying again)` });
      return pushCell(freeze(state, true), { kind: "notice", level: "error", text });
    }
    // Comes when all calls of a response have returned: a command that still runs has yielded.
    case "thread/tokenUsage/updated":
      return freeze(state, false);
    case "warning":
      return pushCell(state, { kind: "notice", level: "warning", text: params.message });
    case "configWarning":
    case "deprecationNotice": {
      const text = params.details ? `${params.summary}\n${params.details}` : params.summary;
      return pushCell(state, { kind: "notice", level: "warning", text });
    }
    default:
      return state;
  }
}

function itemStarted(state: TranscriptState, item: ThreadItem): TranscriptState {
  switch (item.type) {
    case "userMessage":
      return state;
    case "agentMessage":
      return pushCell(freeze(state, false), { kind: "agent", itemId: item.id, text: item.text, first: true }, false);
    case "reasoning":
      if (state.reasoning === "hidden") return state;
      return pushCell(freeze(state, false), { kind: "reasoning", itemId: item.id, text: "" }, false);
    case "commandExecution": {
      // An approved command is announced once; a second announcement only brings its process id.
      const known = replaceLast(state, hasId("command", item.id), (cell) => ({
        cell: cell.kind === "command" ? { ...cell, processId: item.processId ?? cell.processId } : cell,
        settled: false,
      }));
      const next = known ?? pushCell(state, commandCell(item, "running"), false);
      return item.processId ? withTerminal(next, item.id, item.processId, item.command) : next;
    }
    default: {
      // What cannot be found again when the item ends is shown only then.
      const cell = itemCell(item, true);
      return cell && "itemId" in cell ? pushCell(freeze(state, false), cell, false) : state;
    }
  }
}

function withTerminal(state: TranscriptState, itemId: string, processId: string, command: string): TranscriptState {
  const others = state.terminals.filter((terminal) => terminal.itemId !== itemId);
  return { ...state, terminals: [...others, { itemId, processId, command }] };
}

function itemCompleted(state: TranscriptState, item: ThreadItem): TranscriptState {
  switch (item.type) {
    case "userMessage":
      return pushCell(freeze(state, false), userCell(item.content));
    case "agentMessage": {
      const ended = replaceLast(state, hasId("agent", item.id), (cell) => {
        if (cell.kind !== "agent") return null;
        if (cell.first) return { cell: { ...cell, text: item.text }, settled: true };
        return cell.text.trim() === "" ? null : { cell, settled: true };
      });
      if (ended) return ended;
      return pushCell(freeze(state, false), { kind: "agent", itemId: item.id, text: item.text, first: true });
    }
    case "reasoning": {
      const text = reasoningText(item, state.reasoning);
      const ended = replaceLast(state, hasId("reasoning", item.id), (cell) =>
        text === "" || cell.kind !== "reasoning" ? null : { cell: { ...cell, text }, settled: true },
      );
      return ended ?? state;
    }
    case "commandExecution":
      return commandCompleted(state, item);
    default: {
      const cell = itemCell(item);
      if (!cell) return state;
      return (
        replaceLast(
          state,
          (live) => "itemId" in live && live.itemId === item.id,
          () => ({ cell, settled: true }),
        ) ?? pushCell(freeze(state, false), cell)
      );
    }
  }
}

function commandCompleted(
  before: TranscriptState,
  item: Extract<ThreadItem, { type: "commandExecution" }>,
): TranscriptState {
  const known = before.terminals.find((terminal) => terminal.itemId === item.id);
  const state = { ...before, terminals: before.terminals.filter((terminal) => terminal.itemId !== item.id) };
  const whole = replaceLast(state, hasId("command", item.id), () => ({
    cell: commandCell(item, "running"),
    settled: true,
  }));
  if (whole) return whole;
  const ended = {
    exitCode: item.exitCode ?? null,
    failed: item.status === "failed" || item.status === "declined",
    durationMs: item.durationMs ?? null,
  };
  const last = replaceLast(state, hasId("terminal", item.id), (cell) => ({
    cell: cell.kind === "terminal" ? { ...cell, ended } : cell,
    settled: true,
  }));
  if (last) return last;
  if (!known) return pushCell(state, commandCell(item, "running"));
  return pushCell(state, { ...emptyTerminal(item.id, known.processId, known.command), stdin: null, ended });
}

const emptyTerminal = (itemId: string, processId: string | null, command: string): TerminalCell => ({
  kind: "terminal",
  itemId,
  processId,
  command,
  stdin: null,
  output: "",
  ended: null,
});

/** Draws finished blocks of a message for good while the rest still streams. */
function agentDelta(state: TranscriptState, itemId: string, delta: string): TranscriptState {
  const index = state.live.findLastIndex((entry) => !entry.settled && hasId("agent", itemId)(entry.cell));
  const cell = state.live[index]?.cell;
  if (cell?.kind !== "agent") return state;
  const text = cell.text + delta;
  const final = finalLength(text);
  const rest = text.slice(final);
  // A message that is only its first block so far may still be replaced as a whole when it ends.
  if (final === 0 || rest.trim() === "") {
    return { ...state, live: state.live.with(index, { cell: { ...cell, text }, settled: false }) };
  }
  const finished: LiveCell = { cell: { ...cell, text: text.slice(0, final) }, settled: true };
  const growing: LiveCell = { cell: { ...cell, text: rest, first: false }, settled: false };
  return settle({ ...state, live: state.live.toSpliced(index, 1, finished, growing) });
}

function commandOutput(state: TranscriptState, itemId: string, delta: string): TranscriptState {
  const append = (cell: Cell): LiveCell => ({
    cell:
      cell.kind === "command" || cell.kind === "terminal" ? { ...cell, output: bounded(cell.output + delta) } : cell,
    settled: false,
  });
  const known =
    replaceLast(state, hasId("command", itemId), append) ?? replaceLast(state, hasId("terminal", itemId), append);
  if (known) return known;
  const terminal = state.terminals.find((entry) => entry.itemId === itemId);
  if (!terminal) return state;
  return pushCell(state, { ...emptyTerminal(itemId, terminal.processId, terminal.command), output: delta }, false);
}

function interaction(before: TranscriptState, itemId: string, processId: string, stdin: string): TranscriptState {
  // The call that started the terminal has returned: what it showed is complete.
  const state =
    replaceLast(before, hasId("command", itemId), (cell) => ({
      cell: cell.kind === "command" ? { ...cell, status: "yielded", processId } : cell,
      settled: true,
    })) ?? before;
  const known = replaceLast(state, hasId("terminal", itemId), (cell) => ({
    cell: cell.kind === "terminal" ? { ...cell, processId, stdin } : cell,
    settled: true,
  }));
  if (known) return known;
  if (stdin === "") return state;
  const command = state.terminals.find((entry) => entry.itemId === itemId)?.command ?? "";
  return pushCell(state, { ...emptyTerminal(itemId, processId, command), stdin });
}

/** Hands over what is ready to be drawn for good. */
export function takeDone(state: TranscriptState): { readonly state: TranscriptState; readonly done: readonly Cell[] } {
  return state.done.length === 0 ? { state, done: [] } : { state: { ...state, done: [] }, done: state.done };
}
