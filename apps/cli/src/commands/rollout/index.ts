/** `turnkit rollout validate | inspect | convert | export`: session files of every version. */
import { writeFile } from "node:fs/promises";
import {
  inspectRollout,
  type RolloutInspection,
  type RolloutValidation,
  validateRollout,
} from "@turnkit/protocol/rollout";
import { type CommandRun, lastValue } from "../../arguments/command-spec.js";
import { ExitCode } from "../../exit.js";
import { visibleControls } from "../../tui/terminal/text-width.js";
import { ancestorsOf } from "./ancestors.js";
import { decompress, onlyFile, openRollout } from "./open-file.js";
import { counted, lossText } from "./words.js";

export { convert } from "./convert.js";

export const run: CommandRun = async () => ExitCode.usage;

export const validate: CommandRun = async ({ positionals, switches }) => {
  let ok = true;
  for (const file of positionals) {
    const result = await validateRollout(await openRollout(file), { decompress });
    ok &&= result.ok;
    const shown = switches.has("json") ? JSON.stringify({ file, ...result }) : validationText(file, result);
    process.stdout.write(`${shown}\n`);
  }
  return ok ? ExitCode.ok : ExitCode.input;
};

function validationText(file: string, result: RolloutValidation): string {
  const opaque = counted(result.opaque);
  const upgraded = counted(result.upgraded);
  return [
    `${file}: ${result.ok ? "ok" : `${result.losses.length} ${result.losses.length === 1 ? "loss" : "losses"}`}, ${result.lines} lines, ${result.known} known`,
    ...(opaque === "" ? [] : [`  kept as they are: ${opaque}`]),
    ...(upgraded === "" ? [] : [`  read from older forms: ${upgraded}`]),
    ...result.losses.map((loss) => `  ${visibleControls(lossText(loss))}`),
  ].join("\n");
}

export const inspect: CommandRun = async ({ positionals, switches }) => {
  for (const file of positionals) {
    const result = await inspectRollout(await openRollout(file), { file, load: ancestorsOf(file), decompress });
    process.stdout.write(switches.has("json") ? `${JSON.stringify(result)}\n` : inspectionText(result));
  }
  return ExitCode.ok;
};

function inspectionText(result: RolloutInspection): string {
  const source = typeof result.source === "string" ? result.source : JSON.stringify(result.source);
  const rows = [
    ["file", result.file],
    ["thread", result.threadId ?? "unknown"],
    ["version", `${result.cliVersion ?? "unknown"} (${result.era}, ${result.historyMode})`],
    ["source", source],
    ["turns", String(result.turns.length)],
    ["model input", `${result.modelInput.length} items`],
    ["losses", String(result.losses.length)],
  ];
  const turns = result.turns.map(
    (turn, index) =>
      `  ${String(index + 1).padStart(3)}  ${turn.status.padEnd(11)}  ${turn.items.map((item) => item.type).join(", ")}`,
  );
  const losses = result.losses.map((loss) => `  ${visibleControls(lossText(loss))}`);
  const missing = result.missingHistory.map(
    ({ threadId, reason }) => `  history of thread ${threadId} is not shown: ${visibleControls(reason)}`,
  );
  return `${[...rows.map(([label = "", value = ""]) => `${label.padEnd(12)} ${value}`), ...turns, ...losses, ...missing].join("\n")}\n`;
}

export const exportHtml: CommandRun = async (parsed) => {
  const file = onlyFile(parsed.positionals, "rollout export");
  const { sessionPage } = await import("./page/session-page.js");
  const page = await sessionPage(file, await openRollout(file));
  const output = lastValue(parsed, "output") ?? `${file.replace(/\.jsonl(?:\.zst)?$/, "")}.html`;
  if (output === "-") process.stdout.write(page);
  else {
    await writeFile(output, page);
    process.stdout.write(`${output}\n`);
  }
  return ExitCode.ok;
};
