/** The answers the demo gives when nobody is there to be asked: those that were given to it, else the first options. */
import type { AppParams, AppResult } from "@turnkit/protocol/app";
import { CliError, ExitCode } from "../../exit.js";

type Questions = AppParams<"item/tool/requestUserInput">["questions"];
type Response = AppResult<"item/tool/requestUserInput">;

/** `ID=TEXT` pairs. @throws {CliError} */
export function parseAnswers(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((pair): [string, string] => {
      const equals = pair.indexOf("=");
      if (equals <= 0) throw new CliError(`--answer takes ID=TEXT, not ${JSON.stringify(pair)}`, ExitCode.usage);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** Text that names no option becomes a note under "None of the above". */
export function answerQuestions(questions: Questions, given: ReadonlyMap<string, string>): Response {
  const answers: Response["answers"] = {};
  for (const question of questions) {
    const text = given.get(question.id);
    const options = question.options ?? [];
    const wanted = text?.toLowerCase();
    const option =
      wanted === undefined
        ? options[0]
        : options.find(({ label }) => label.toLowerCase() === wanted || label.toLowerCase().startsWith(`${wanted} (`));
    if (option) answers[question.id] = { answers: [option.label] };
    else if (text !== undefined)
      answers[question.id] = { answers: [...(options.length > 0 ? ["None of the above"] : []), `user_note: ${text}`] };
    else answers[question.id] = { answers: [] };
  }
  return { answers };
}
