/**
 * What the pieces of a transcript look like. Pure: cell and width in, lines out.
 */
import { bold, dim, type Line, plain, type Role, type Span, tinted, wrapLine } from "../terminal/style.js";
import { visibleControls } from "../terminal/text-width.js";
import type { Cell, CommandCell, FileChangeCell, PlanCell, TerminalCell } from "./cells.js";
import { changeRows } from "./change-rows.js";
import { diffRole, markdownLines } from "./markdown.js";
import { shownCommand, terminalLines, typedText } from "./terminal-text.js";

export interface CellViewOptions {
  /** Rows of output shown of a command; the rest is counted. */
  readonly outputRows: number;
  /** true: the cell is still changing, show the end of its output. */
  readonly live: boolean;
}

export const FOLDED: CellViewOptions = { outputRows: 12, live: false };
export const UNFOLDED: CellViewOptions = { outputRows: Number.POSITIVE_INFINITY, live: false };
export const LIVE: CellViewOptions = { outputRows: 8, live: true };

/** The lines of a cell; cells are separated by one empty line, which is not part of them. */
export function viewCell(cell: Cell, width: number, options: CellViewOptions): Line[] {
  switch (cell.kind) {
    case "user":
      return marked(tinted("user", "› "), userLines(cell.text, cell.attachments), width);
    case "agent":
      return markdownLines(cell.text, width - 2).map((line, index) => [
        index === 0 && cell.first ? tinted("accent", "• ") : plain("  "),
        ...line,
      ]);
    case "reasoning":
      return markdownLines(cell.text, width - 2).map((line, index) => [
        tinted("muted", index === 0 ? "∴ " : "  "),
        ...line.map((span): Span => ({ text: span.text, style: { role: "muted", italic: true } })),
      ]);
    case "command":
      return commandLines(cell, width, options);
    case "terminal":
      return terminalCellLines(cell, width, options);
    case "fileChange":
      return fileChangeLines(cell, width, options);
    case "plan":
      return planLines(cell, width);
    case "tool":
      return toolLines(cell, width);
    case "notice":
      return noticeLines(cell.level, cell.text, width);
    case "lines":
      return cell.lines.flatMap((line) => wrapLine(line, width, [plain("    ")]));
  }
}

function marked(mark: Span, lines: readonly Line[], width: number): Line[] {
  return lines.flatMap((line, index) => wrapLine([index === 0 ? mark : plain("  "), ...line], width, [plain("  ")]));
}

/** Rows of a tool's result that are shown; the rest is counted. */
const TOOL_ROWS = 8;

function toolLines({ status, title, details }: Extract<Cell, { kind: "tool" }>, width: number): Line[] {
  const lines = wrapLine([statusMark(status), bold(visibleControls(title))], width, [plain("  ")]);
  if (!details) return lines;
  const rows = details.output === "" ? [] : details.output.trimEnd().split("\n");
  const shown = rows.slice(0, TOOL_ROWS).map((row): Line => [dim(visibleControls(row))]);
  const more = rows.length - TOOL_ROWS;
  return [
    ...lines,
    ...(details.input === ""
      ? []
      : wrapLine([plain("  "), tinted("code", visibleControls(details.input))], width, [plain("    ")])),
    ...shown.flatMap((line, index) => wrapLine([dim(index === 0 ? "  └ " : "    "), ...line], width, [plain("    ")])),
    ...(more > 0 ? [[dim(`    … ${more} more lines`)]] : []),
  ];
}

function userLines(text: string, attachments: readonly string[]): Line[] {
  const lines = text.split("\n").map((row): Line => [{ text: visibleControls(row), style: { bold: true } }]);
  return [...lines, ...attachments.map((name): Line => [dim(`⎘ ${visibleControls(name)}`)])];
}

function statusMark(status: string): Span {
  if (status === "completed") return tinted("success", "• ");
  if (status === "failed" || status === "declined") return tinted("danger", "• ");
  return tinted("accent", "• ");
}

const seconds = (ms: number | null): string =>
  ms === null ? "" : ms < 950 ? ` · ${ms} ms` : ` · ${(ms / 1000).toFixed(1)}s`;

/** The rows of output that are shown, each behind a bar. */
function outputLines(output: string, width: number, options: CellViewOptions): Line[] {
  const rows = terminalLines(output);
  const bar = tinted("muted", "  │ ");
  const show = (row: string): Line[] => wrapLine([bar, dim(row)], width, [bar]);
  if (rows.length <= options.outputRows) return rows.flatMap(show);
  const more = (count: number): Line => [tinted("muted", `  ┆ … ${count} more ${count === 1 ? "line" : "lines"}`)];
  if (options.live) return [more(rows.length - options.outputRows), ...rows.slice(-options.outputRows).flatMap(show)];
  const head = Math.ceil(options.outputRows / 2);
  const tail = Math.floor(options.outputRows / 2);
  return [
    ...rows.slice(0, head).flatMap(show),
    more(rows.length - head - tail),
    ...(tail > 0 ? rows.slice(-tail).flatMap(show) : []),
  ];
}

function commandHead(mark: Span, verb: string, command: string, tail: Span[], width: number): Line[] {
  const rows = visibleControlsByLine(shownCommand(command));
  const first: Line = [mark, bold(`${verb} `), tinted("code", rows[0] ?? ""), ...(rows.length === 1 ? tail : [])];
  const rest = rows.slice(1, 6).map((row): Line => [plain("    "), tinted("code", row)]);
  if (rows.length > 6) rest.push([dim(`    … ${rows.length - 6} more lines of the command`)]);
  const lines = [first, ...rest];
  if (rows.length > 1 && tail.length > 0) lines.push([plain("   "), ...tail]);
  return lines.flatMap((line) => wrapLine(line, width, [plain("    ")]));
}

const visibleControlsByLine = (text: string): string[] => text.trimEnd().split("\n").map(visibleControls);

function commandLines(cell: CommandCell, width: number, options: CellViewOptions): Line[] {
  const terminal = cell.processId === null ? "" : ` · terminal ${cell.processId}`;
  const ended = cell.exitCode === null ? "" : `exit ${cell.exitCode}`;
  const role: Role = cell.exitCode === 0 ? "success" : "danger";
  switch (cell.status) {
    case "running":
      return [
        ...commandHead(tinted("accent", "• "), "Running", cell.command, [dim(terminal)], width),
        ...outputLines(cell.output, width, options),
      ];
    case "yielded":
      return [
        ...commandHead(tinted("accent", "• "), "Started", cell.command, [dim(`${terminal} · still running`)], width),
        ...outputLines(cell.output, width, options),
      ];
    case "declined":
      return commandHead(tinted("danger", "• "), "Not run", cell.command, [tinted("danger", " · declined")], width);
    default:
      return [
        ...commandHead(
          statusMark(cell.status),
          "Ran",
          cell.command,
          [dim(" · "), tinted(role, ended === "" ? cell.status : ended), dim(seconds(cell.durationMs))],
          width,
        ),
        ...(terminalLines(cell.output).length === 0
          ? [[dim("  │ (no output)")]]
          : outputLines(cell.output, width, options)),
      ];
  }
}

function terminalCellLines(cell: TerminalCell, width: number, options: CellViewOptions): Line[] {
  const name = cell.processId === null ? "the terminal" : `terminal ${cell.processId}`;
  const lines: Line[] = [];
  if (cell.stdin === null && cell.ended === null) {
    lines.push([tinted("accent", "↳ "), bold(`Output of ${name}`)]);
  } else if (cell.stdin !== null && cell.stdin !== "") {
    lines.push(
      ...wrapLine(
        [tinted("accent", "↳ "), bold(`Typed into ${name}: `), tinted("code", typedText(cell.stdin))],
        width,
        [plain("    ")],
      ),
    );
  } else if (cell.stdin === "") {
    lines.push([tinted("accent", "↳ "), bold(`Waited for ${name}`)]);
  }
  lines.push(...outputLines(cell.output, width, options));
  if (cell.ended) {
    const { exitCode, failed, durationMs } = cell.ended;
    const shown = exitCode === null ? (failed ? "failed" : "ended") : exitCode < 0 ? "stopped" : `exit ${exitCode}`;
    lines.push([
      tinted(failed ? "danger" : "success", "↳ "),
      bold(`${name[0]?.toUpperCase()}${name.slice(1)} ended`),
      dim(" · "),
      tinted(failed ? "danger" : "success", shown),
      dim(seconds(durationMs)),
    ]);
  }
  return lines;
}

function fileChangeLines(cell: FileChangeCell, width: number, options: CellViewOptions): Line[] {
  const verb =
    cell.status === "completed" ? "Changed" : cell.status === "inProgress" ? "Changing" : `Change ${cell.status}:`;
  return cell.changes.flatMap((change) => {
    const rows = changeRows(change);
    const added = rows.filter((row) => row.startsWith("+")).length;
    const removed = rows.filter((row) => row.startsWith("-")).length;
    const head = wrapLine(
      [
        statusMark(cell.status),
        bold(`${verb} `),
        plain(visibleControls(change.path)),
        dim(` (${change.kind}) `),
        tinted("added", `+${added}`),
        plain(" "),
        tinted("removed", `-${removed}`),
      ],
      width,
      [plain("    ")],
    );
    const limit = options.outputRows * 2;
    const shown = rows
      .slice(0, limit)
      .flatMap((row) =>
        wrapLine([plain("    "), { text: row, style: { role: diffRole(row) } }], width, [plain("      ")]),
      );
    return [...head, ...shown, ...(rows.length > limit ? [[dim(`    … ${rows.length - limit} more lines`)]] : [])];
  });
}

function planLines(cell: PlanCell, width: number): Line[] {
  const marks = {
    completed: tinted("success", "✔ "),
    inProgress: tinted("accent", "▸ "),
    pending: tinted("muted", "☐ "),
  };
  return [
    [tinted("accent", "• "), bold("Plan")],
    ...(cell.explanation ? wrapLine([plain("  "), dim(visibleControls(cell.explanation))], width, [plain("  ")]) : []),
    ...cell.steps.flatMap((step) =>
      wrapLine(
        [
          plain("  "),
          marks[step.status],
          {
            text: visibleControls(step.step),
            style: { bold: step.status === "inProgress", role: step.status === "completed" ? "muted" : undefined },
          },
        ],
        width,
        [plain("    ")],
      ),
    ),
  ];
}

function noticeLines(level: "info" | "warning" | "error", text: string, width: number): Line[] {
  const role = level === "error" ? "danger" : level === "warning" ? "warning" : "muted";
  const mark = level === "error" ? "✗ " : level === "warning" ? "! " : "· ";
  return marked(
    tinted(role, mark),
    visibleControlsByLine(text).map((row): Line => [tinted(role, row)]),
    width,
  );
}
