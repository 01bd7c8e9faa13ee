/** The list under the composer: what could complete the word at the caret. Pure: list and size in, lines out. */
import type { CompletionList, CompletionRow } from "../composer/completion.js";
import { dim, type Line, truncateLine } from "../terminal/style.js";
import { textWidth, truncateStart, visibleControls } from "../terminal/text-width.js";

const NAME_WIDTH = 14;

/** Name and what is said of it. */
function rowTexts(row: CompletionRow, width: number): readonly [name: string, about: string] {
  switch (row.kind) {
    case "command": {
      const { name, argument, description } = row.command;
      return [`/${name}${argument ? ` ${argument}` : ""}`, description];
    }
    case "skill":
      return [`$${visibleControls(row.skill.name)}`, visibleControls(row.skill.description.replace(/\s+/g, " "))];
    case "file":
      return [truncateStart(visibleControls(`${row.file.path}${row.file.directory ? "/" : ""}`), width), ""];
  }
}

export function viewCompletion({ rows, selected }: CompletionList, width: number, height: number): Line[] {
  const room = Math.max(1, height);
  const first = Math.max(0, Math.min(selected - room + 1, rows.length - room));
  const lines = rows.slice(first, first + room).map((row, index): Line => {
    const on = first + index === selected;
    const [name, about] = rowTexts(row, width - 4);
    const padded = about === "" ? name : `${name}${" ".repeat(Math.max(0, NAME_WIDTH - textWidth(name)))} `;
    return truncateLine(
      [{ text: `  ${on ? "›" : " "} ${padded}`, style: { bold: on, role: on ? "accent" : undefined } }, dim(about)],
      width,
    );
  });
  return rows.length > room ? [...lines, [dim(`    ${selected + 1} of ${rows.length}`)]] : lines;
}
