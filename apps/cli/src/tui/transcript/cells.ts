/**
 * The pieces of a transcript as data. What they look like is in `cell-view`; how they come about is in `../state`.
 */
import type { Line } from "../terminal/style.js";

export interface UserCell {
  readonly kind: "user";
  readonly text: string;
  readonly attachments: readonly string[];
}

export interface AgentCell {
  readonly kind: "agent";
  readonly itemId: string;
  readonly text: string;
  /** false: earlier blocks of the same message stand above. */
  readonly first: boolean;
}

export interface ReasoningCell {
  readonly kind: "reasoning";
  readonly itemId: string;
  readonly text: string;
}

export interface CommandCell {
  readonly kind: "command";
  readonly itemId: string;
  readonly processId: string | null;
  readonly command: string;
  readonly cwd: string;
  readonly output: string;
  /** yielded: it lives on while the model went on with something else. */
  readonly status: "running" | "yielded" | "completed" | "failed" | "declined";
  readonly exitCode: number | null;
  readonly durationMs: number | null;
}

/** Something typed into a terminal that was started earlier, or a wait for it. */
export interface TerminalCell {
  readonly kind: "terminal";
  readonly itemId: string;
  readonly processId: string | null;
  readonly command: string;
  /** null: not known yet; "": only waited. */
  readonly stdin: string | null;
  readonly output: string;
  readonly ended: {
    readonly exitCode: number | null;
    readonly failed: boolean;
    readonly durationMs: number | null;
  } | null;
}

export interface FileChangeCell {
  readonly kind: "fileChange";
  readonly itemId: string;
  readonly status: string;
  readonly changes: readonly { readonly path: string; readonly kind: string; readonly diff: string }[];
}

export interface PlanCell {
  readonly kind: "plan";
  readonly explanation: string | null;
  readonly steps: readonly { readonly step: string; readonly status: "pending" | "inProgress" | "completed" }[];
}

export interface ToolCell {
  readonly kind: "tool";
  readonly itemId: string;
  readonly title: string;
  readonly status: string;
  /** What it was called with, and what came of it. */
  readonly details?: { readonly input: string; readonly output: string };
}

export interface NoticeCell {
  readonly kind: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** Lines that were made elsewhere, such as the history of a question form. */
export interface LinesCell {
  readonly kind: "lines";
  readonly lines: readonly Line[];
}

export type Cell =
  | UserCell
  | AgentCell
  | ReasoningCell
  | CommandCell
  | TerminalCell
  | FileChangeCell
  | PlanCell
  | ToolCell
  | NoticeCell
  | LinesCell;
