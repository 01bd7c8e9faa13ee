/** `turnkit rollout convert`: session files of any version as 0.150 writes them, so that programs of its time resume them. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ConvertedRollout, convertRollout } from "@turnkit/protocol/rollout";
import { type CommandRun, lastValue } from "../../arguments/command-spec.js";
import { CliError, ExitCode } from "../../exit.js";
import { visibleControls } from "../../tui/terminal/text-width.js";
import { ancestorsOf } from "./ancestors.js";
import { decompress, openRollout } from "./open-file.js";
import { counted, lossText } from "./words.js";

export const convert: CommandRun = async (parsed) => {
  const { positionals: files, switches } = parsed;
  const output = lastValue(parsed, "output");
  const json = switches.has("json");
  if (output === undefined && files.length > 1)
    throw new CliError("several files need a folder to be written to: --output FOLDER", ExitCode.usage);
  if (output === undefined && json)
    throw new CliError("--json reports what was written and needs --output", ExitCode.usage);
  const folder = output === undefined ? undefined : await folderOf(output, files.length > 1);
  let ok = true;
  for (const file of files) {
    const converted = await convertRollout(await openRollout(file), { file, load: ancestorsOf(file), decompress });
    const { fileName, lines, dropped, losses } = converted;
    if (fileName === null)
      throw new CliError(`${file} cannot be converted: ${losses[0]?.reason ?? "it is empty"}`, ExitCode.input);
    ok &&= losses.length === 0;
    const text = `${lines.join("\n")}\n`;
    const written = folder === undefined ? output : path.join(folder, fileName);
    if (written === undefined) process.stdout.write(text);
    else await write(written, text, folder !== undefined);
    if (json)
      process.stdout.write(`${JSON.stringify({ file, output: written, lines: lines.length, dropped, losses })}\n`);
    else report(file, folder === undefined ? undefined : written, converted);
  }
  return ok ? ExitCode.ok : ExitCode.input;
};

/** The folder that `--output` names; undefined when it names a file. Several files need one, which is made. */
async function folderOf(output: string, needed: boolean): Promise<string | undefined> {
  const found = await stat(output).catch(() => undefined);
  if (found?.isDirectory()) return output;
  if (!needed) return undefined;
  try {
    await mkdir(output, { recursive: true });
  } catch (error) {
    throw writeError(output, error);
  }
  return output;
}

async function write(file: string, text: string, isNew: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: isNew ? "wx" : "w" });
  } catch (error) {
    throw writeError(file, error);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "there is a file already",
  EACCES: "it may not be written",
  EROFS: "it may not be written",
  ENOSPC: "the disk is full",
};

function writeError(file: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CliError(`cannot write ${file}: ${WORDS[code ?? ""] ?? message}`, ExitCode.failed);
}

/** What a person should know goes to standard error: standard output may be the file. */
function report(file: string, written: string | undefined, { dropped, losses }: ConvertedRollout): void {
  const about = written === undefined ? "" : `${file}: `;
  if (written !== undefined) process.stdout.write(`${written}\n`);
  const left = counted(dropped);
  if (left !== "") process.stderr.write(`${about}left out: ${left}\n`);
  for (const loss of losses) process.stderr.write(`${about}${visibleControls(lossText(loss))}\n`);
}
