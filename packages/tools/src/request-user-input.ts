/**
 * request_user_input: the model asks the person one to three questions and waits.
 * Owns the gates, the normalisation and the output text. Does not own the waiting: see UserPrompter.
 * The list of modes it is built with feeds both the description and the gate.
 */
import type { ModeKind, RequestUserInputArgs, RequestUserInputQuestion } from "@turnkit/protocol";
import { functionHookPayload, parseArguments, withFunctionArguments } from "./arguments.js";
import type { UserPrompter } from "./ports.js";
import {
  type CallContext,
  FatalToolError,
  RespondToModel,
  type Tool,
  type ToolCall,
  type ToolOutput,
  type ToolTurn,
} from "./tool.js";

export const QUESTION_TOOL_NAME = "request_user_input";
const NAME = QUESTION_TOOL_NAME;

const DISPLAY_NAMES: Readonly<Record<ModeKind, string>> = { default: "Default", plan: "Plan" };

/** The modes a person can see, in their order, that allow the question tool. */
export function modesAllowingQuestions(features: { readonly defaultModeQuestions: boolean }): readonly ModeKind[] {
  return features.defaultModeQuestions ? ["default", "plan"] : ["plan"];
}

export function describeModes(modes: readonly ModeKind[]): string {
  const names = modes.map((mode) => DISPLAY_NAMES[mode]);
  if (names.length === 0) return "no modes";
  if (names.length === 1) return `${names[0]} mode`;
  if (names.length === 2) return `${names[0]} or ${names[1]} mode`;
  return `modes: ${names.join(",")}`;
}

const parameters = {
  type: "object",
  properties: {
    questions: {
      type: "array",
      description: "The questions, in the order in which they are shown. One is best; never ask more than three.",
      items: {
        type: "object",
        properties: {
          id: { type: "string", description: "Key under which the answer comes back, in snake_case." },
          header: { type: "string", description: "Label of at most 12 characters shown beside the question." },
          question: { type: "string", description: "The question itself, one sentence." },
          options: {
            type: "array",
            description:
              'Two or three answers that exclude each other. Put the one you would choose first and end its label with "(Recommended)". Leave out a catch-all such as "Other": the client offers one by itself.',
            items: {
              type: "object",
              properties: {
                label: { type: "string", description: "The answer in one to five words." },
                description: { type: "string", description: "What choosing it means, in one short sentence." },
              },
              required: ["label", "description"],
              additionalProperties: false,
            },
          },
        },
        required: ["id", "header", "question", "options"],
        additionalProperties: false,
      },
    },
  },
  required: ["questions"],
  additionalProperties: false,
} as const;

export interface RequestUserInputOptions {
  readonly modes: readonly ModeKind[];
  readonly prompter: UserPrompter;
  /** Learns why a call was not put to anybody; the model reads the refusal all the same. */
  readonly refused?: ((turn: ToolTurn, callId: string, reason: QuestionRefusal) => void) | undefined;
}

export type QuestionRefusal = "notRootThread" | "unavailableMode" | "invalidArguments";

export function createRequestUserInputTool(options: RequestUserInputOptions): Tool {
  return {
    spec: {
      type: "function",
      name: NAME,
      description: `Ask the user one to three short questions and wait for the answers. This tool is only available in ${describeModes(options.modes)}.`,
      strict: false,
      parameters,
    },
    exposure: "direct-model-only",
    supportsParallelCalls: false,
    isControl: true,
    accepts: (payload) => payload.kind !== "custom",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    run: (call, context) => run(call, context, options),
  };
}

async function run(call: ToolCall, context: CallContext, options: RequestUserInputOptions): Promise<ToolOutput> {
  if (call.payload.kind !== "function") throw new RespondToModel(`${NAME} handler received unsupported payload`);
  const { turn } = context;
  const { mode } = turn;
  const refuse = (reason: QuestionRefusal, error: unknown): never => {
    options.refused?.(turn, call.callId, reason);
    throw error;
  };
  if (!turn.isRootThread) refuse("notRootThread", new RespondToModel(`${NAME} can only be used by the root thread`));
  if (!options.modes.includes(mode))
    refuse("unavailableMode", new RespondToModel(`${NAME} is unavailable in ${DISPLAY_NAMES[mode]} mode`));
  const questions = readQuestions(call.payload.arguments, (error) => refuse("invalidArguments", error));
  const response = await options.prompter.ask(context.turn, {
    callId: call.callId,
    questions,
    isBlocking: mode === "plan",
  });
  if (response === undefined) throw new RespondToModel(`${NAME} was cancelled before receiving a response`);
  const text = serialize(response);
  return {
    body: text,
    success: true,
    postToolUse: { ...functionHookPayload(call)!, toolResponse: text },
  };
}

function readQuestions(text: string, refuse: (error: unknown) => never): readonly RequestUserInputQuestion[] {
  try {
    return normalizeQuestions(parseRequestUserInputArgs(text));
  } catch (error) {
    return refuse(error);
  }
}

function serialize(response: unknown): string {
  try {
    return JSON.stringify(response);
  } catch (error) {
    throw new FatalToolError(`failed to serialize ${NAME} response: ${(error as Error).message}`);
  }
}

/** @throws {RespondToModel} not JSON, a missing member, a wrong type */
export function parseRequestUserInputArgs(text: string): Pick<RequestUserInputArgs, "questions"> {
  return { questions: parseArguments("RequestUserInputArgs", text).questions.map(asAsked) };
}

/** The question without members this version does not know. */
function asAsked({ id, header, question, isOther, isSecret, options }: RequestUserInputQuestion) {
  const asked: RequestUserInputQuestion = {
    id,
    header,
    question,
    isOther: isOther ?? false,
    isSecret: isSecret ?? false,
  };
  if (!options) return asked;
  return { ...asked, options: options.map(({ label, description }) => ({ label, description })) };
}

/** @throws {RespondToModel} a question without options */
export function normalizeQuestions(args: Pick<RequestUserInputArgs, "questions">): readonly RequestUserInputQuestion[] {
  if (args.questions.some((question) => (question.options ?? []).length === 0))
    throw new RespondToModel(`${NAME} requires non-empty options for every question`);
  return args.questions.map((question) => ({ ...question, isOther: true }));
}
