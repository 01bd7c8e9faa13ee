/**
 * What `exec` does when the model asks. By default it cannot ask; otherwise the command line says who answers:
 * the first options, a file, a person at the terminal, or nobody, which fails the run.
 */
import { createInterface } from "node:readline/promises";
import type { AppParams, AppResult } from "@turnkit/protocol/app";
import { lastValue, type ParsedArguments } from "../../arguments/command-spec.js";
import { CliError, ExitCode } from "../../exit.js";
import { visibleControls } from "../../tui/terminal/text-width.js";
import { readJsonFile } from "../input-file.js";

type Params = AppParams<"item/tool/requestUserInput">;
type Response = AppResult<"item/tool/requestUserInput">;

export type QuestionPolicy =
  | { readonly kind: "notOffered" }
  | { readonly kind: "fail" }
  | { readonly kind: "first" }
  | { readonly kind: "ask" }
  | { readonly kind: "file"; readonly file: string; readonly answers: ReadonlyMap<string, readonly string[]> };

/** A question came that has to be answered and nobody can; the run ends with exit code 5. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";
}

/** @throws {CliError} the file is not right, or the options contradict each other */
export async function questionPolicy(parsed: ParsedArguments): Promise<QuestionPolicy> {
  const file = lastValue(parsed, "answers");
  const how = lastValue(parsed, "on-question");
  if (file !== undefined && how !== undefined)
    throw new CliError("give either --answers or --on-question", ExitCode.usage);
  if (file !== undefined) return { kind: "file", file, answers: await readAnswers(file) };
  if (how === undefined) return { kind: "notOffered" };
  if (how === "ask" && !process.stdin.isTTY) {
    throw new CliError("--on-question ask needs a terminal", ExitCode.usage, "--answers FILE answers without one.");
  }
  return { kind: how as "ask" | "fail" | "first" };
}

async function readAnswers(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const value = await readJsonFile(file, "answers");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CliError(`${file}: must be an object of question id → answer`, ExitCode.input);
  }
  return new Map(
    Object.entries(value).map(([id, answer]): [string, readonly string[]] => {
      const list: unknown = typeof answer === "string" ? [answer] : answer;
      if (!Array.isArray(list) || list.some((entry) => typeof entry !== "string")) {
        throw new CliError(`${file}: ${id} must be a text or a list of texts`, ExitCode.input);
      }
      return [id, list as string[]];
    }),
  );
}

/** The settings that go with a policy, so that what is listed can be called. */
export function policyOverrides(policy: QuestionPolicy): string[] {
  return policy.kind === "notOffered"
    ? ["tools.experimental_request_user_input.enabled=false"]
    : ["features.default_mode_request_user_input=true"];
}

/** The same for a thread of a server that runs elsewhere. */
export function policyConfig(policy: QuestionPolicy): Record<string, unknown> {
  return policy.kind === "notOffered"
    ? { "tools.experimental_request_user_input.enabled": false }
    : { "features.default_mode_request_user_input": true };
}

/** @throws {UnansweredError} */
export async function answer(policy: QuestionPolicy, params: Params, say: (line: string) => void): Promise<Response> {
  switch (policy.kind) {
    case "first":
      say("question answered with the first option (--on-question first):");
      return report(params, firstOptions(params), say);
    case "file":
      say(`question answered from ${policy.file}:`);
      return report(params, fromFile(params, policy.file, policy.answers), say);
    case "ask":
      return askAtTerminal(params);
    default:
      throw new UnansweredError(
        `the model asked "${params.questions[0]?.question ?? ""}" and nobody is here to answer`,
      );
  }
}

function report(params: Params, response: Response, say: (line: string) => void): Response {
  for (const question of params.questions) {
    const secret = question.isSecret === true;
    const text = response.answers[question.id]?.answers
      .map((entry) => (secret ? "••••••" : visibleControls(entry)))
      .join(", ");
    say(`  ${visibleControls(question.question)} ${text || "(unanswered)"}`);
  }
  return response;
}

function firstOptions(params: Params): Response {
  return {
    answers: Object.fromEntries(
      params.questions.map((question) => {
        const [option] = question.options ?? [];
        return [question.id, { answers: option ? [option.label] : [] }];
      }),
    ),
  };
}

function fromFile(params: Params, file: string, answers: ReadonlyMap<string, readonly string[]>): Response {
  return {
    answers: Object.fromEntries(
      params.questions.map((question) => {
        const given = answers.get(question.id);
        if (!given)
          throw new UnansweredError(`${file} has no answer to the question "${question.id}" (${question.question})`);
        return [question.id, { answers: [...given] }];
      }),
    ),
  };
}

async function askAtTerminal(params: Params): Promise<Response> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Response["answers"] = {};
  try {
    for (const question of params.questions) {
      const options = question.options ?? [];
      process.stderr.write(`\n${visibleControls(question.question)}\n`);
      for (const [index, option] of options.entries()) {
        process.stderr.write(
          `  ${index + 1}. ${visibleControls(option.label)}  ${visibleControls(option.description)}\n`,
        );
      }
      const typed = (
        await lines.question(options.length > 0 ? "a number, or your own words: " : "your answer: ")
      ).trim();
      const option = /^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined;
      if (option) answers[question.id] = { answers: [option.label] };
      else if (typed === "") answers[question.id] = { answers: [] };
      else
        answers[question.id] = {
          answers: [...(options.length > 0 ? ["None of the above"] : []), `user_note: ${typed}`],
        };
    }
  } finally {
    lines.close();
  }
  return { answers };
}
