/** Reads a file that was named on the command line; says in one line what is wrong with it. */
import { readFile } from "node:fs/promises";
import { CliError, ExitCode } from "../exit.js";

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

export function fileError(file: string, what: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CliError(`cannot read the ${what} ${file}: ${WORDS[code ?? ""] ?? message}`, ExitCode.input);
}

export async function readInputFile(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw fileError(file, what, error);
  }
}

/** @throws {CliError} not readable, or not JSON */
export async function readJsonFile(file: string, what: string): Promise<unknown> {
  const text = await readInputFile(file, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(`${file}: is not JSON: ${(error as Error).message}`, ExitCode.input);
  }
}
