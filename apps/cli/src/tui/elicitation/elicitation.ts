/**
 * What an MCP server asks of the person: a yes or no, a link, or a form of plain fields. Pure.
 * A form is shown as questions; what was answered becomes the values that its schema names.
 */
import type { McpElicitationPrimitiveSchema } from "@turnkit/protocol/app";
import type { ServerRequest } from "../../client/app-connection.js";
import type { Approval, Choice } from "../approval/approval.js";
import type { ElicitationFields } from "../question-form/elicitation-fields.js";
import { type AnswerMap, formAnswers } from "../question-form/form-answers.js";
import { type Form, type FormOption, type FormRequest, hasOptions } from "../question-form/form-state.js";

export type ElicitationRequest = Extract<ServerRequest, { method: "mcpServer/elicitation/request" }>;
type Field = McpElicitationPrimitiveSchema;

const answer = (action: "accept" | "decline" | "cancel", content: unknown = null, meta: unknown = null) => ({
  action,
  content,
  _meta: meta,
});

/** Esc: the server learns that nobody wanted to answer. */
export const CANCELLED = answer("cancel");

const choice = (label: string, shortcut: string, response: unknown, verdict: string): Choice => ({
  label,
  shortcut,
  response,
  verdict,
});

const NO: readonly Choice[] = [
  choice("No", "n", answer("decline"), "declined"),
  choice("Cancel", "esc", CANCELLED, "declined; the request was cancelled"),
];

/** A question without fields to fill in; null: it has fields. */
export function elicitationApproval(request: ElicitationRequest): Approval | null {
  const { params } = request;
  const common = { requestId: request.id, turnId: params.turnId ?? "", itemId: "", selected: 0 };
  if (params.mode === "url") {
    const details = [
      { label: "", text: params.url, code: true },
      { label: "server", text: params.serverName, code: false },
    ];
    const opened = choice("Yes, I will open it", "y", answer("accept", {}), "agreed to open");
    return { ...common, title: params.message, details, choices: [opened, ...NO] };
  }
  const fields = fieldsOf(request);
  if (fields && Object.keys(fields.properties).length > 0) return null;
  const meta = params._meta as { readonly persist?: unknown; readonly tool_params?: unknown } | null | undefined;
  const may = (persist: string): boolean => Array.isArray(meta?.persist) && meta.persist.includes(persist);
  return {
    ...common,
    title: params.message,
    details: [
      ...(meta?.tool_params === undefined
        ? []
        : [{ label: "", text: JSON.stringify(meta.tool_params, null, 1), code: true }]),
      { label: "server", text: params.serverName, code: false },
    ],
    choices: [
      choice("Yes", "y", answer("accept", {}), "allowed once"),
      ...(may("session")
        ? [
            choice(
              "Yes, and again in this session",
              "a",
              answer("accept", {}, { persist: "session" }),
              "allowed for this session",
            ),
          ]
        : []),
      ...(may("always")
        ? [choice("Yes, and always", "p", answer("accept", {}, { persist: "always" }), "allowed from now on")]
        : []),
      ...NO,
    ],
  };
}

function fieldsOf({ params }: ElicitationRequest): ElicitationFields | null {
  if (params.mode !== "form") return null;
  return { properties: params.requestedSchema.properties, required: params.requestedSchema.required ?? [] };
}

/** A question for each field. */
export function elicitationForm(request: ElicitationRequest): FormRequest {
  const { params } = request;
  const fields = fieldsOf(request) ?? { properties: {}, required: [] };
  return {
    requestId: request.id,
    turnId: params.turnId ?? "",
    itemId: "",
    // Nobody answers for the person.
    isBlocking: true,
    elicitation: fields,
    questions: Object.entries(fields.properties).map(([id, field], index) => ({
      id,
      header: params.serverName,
      question: [...(index === 0 ? [`${params.serverName}: ${params.message}`] : []), describe(id, field, fields)].join(
        "\n",
      ),
      isOther: false,
      isSecret: false,
      options: optionsOf(field),
    })),
  };
}

function describe(id: string, field: Field, { required }: ElicitationFields): string {
  const { title, description } = field as { readonly title?: string | null; readonly description?: string | null };
  const kind =
    field.type === "array" ? ", several with commas between them" : field.type === "string" ? "" : `, ${field.type}`;
  const lead = `${title ?? id} (${required.includes(id) ? "required" : "optional"}${kind})`;
  return description ? `${lead}: ${description}` : lead;
}

function choicesOf(field: Field): readonly { readonly value: string; readonly label: string }[] {
  const named = field as {
    readonly enum?: readonly string[];
    readonly enumNames?: readonly string[] | null;
    readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  };
  if (named.oneOf) return named.oneOf.map(({ const: value, title }) => ({ value, label: title }));
  return (named.enum ?? []).map((value, index) => ({ value, label: named.enumNames?.[index] ?? value }));
}

function optionsOf(field: Field): readonly FormOption[] | null {
  if (field.type === "boolean") return ["Yes", "No"].map((label) => ({ label, description: "" }));
  const choices = field.type === "string" ? choicesOf(field) : [];
  return choices.length === 0 ? null : choices.map(({ label }) => ({ label, description: "" }));
}

export type ElicitationOutcome =
  | { readonly type: "respond"; readonly result: unknown }
  /** The field that is not filled in as it has to be, and why. */
  | { readonly type: "wrong"; readonly question: number; readonly message: string };

/** What a submitted form answers; one that was left empty declines. */
export function elicitationResult(form: Form, fields: ElicitationFields): ElicitationOutcome {
  const answers = formAnswers(form);
  if (Object.values(answers).every(({ answers: given }) => given.length === 0))
    return { type: "respond", result: answer("decline") };
  const content: Record<string, unknown> = {};
  for (const [question, [id, field]] of Object.entries(fields.properties).entries()) {
    const text = given(answers, id);
    if (text === undefined) {
      if (fields.required.includes(id)) return { type: "wrong", question, message: `${id} is required` };
      continue;
    }
    const value = fieldValue(field, text);
    if (value === undefined) return { type: "wrong", question, message: `${id} must be ${kindOf(field)}` };
    content[id] = value;
  }
  return { type: "respond", result: answer("accept", content) };
}

const MISTAKE = "\n! ";

/** The form at the field that was wrong, which now says so. */
export function askAgain(form: Form, { question, message }: Extract<ElicitationOutcome, { type: "wrong" }>): Form {
  const questions = form.request.questions.map((asked, index) =>
    index === question ? { ...asked, question: `${asked.question.split(MISTAKE)[0]}${MISTAKE}${message}` } : asked,
  );
  const wrong = questions[question];
  return {
    ...form,
    request: { ...form.request, questions },
    current: question,
    focus: wrong && hasOptions(wrong) ? "options" : "notes",
    confirming: null,
  };
}

function given(answers: AnswerMap, id: string): string | undefined {
  const text = answers[id]?.answers[0];
  return text?.startsWith("user_note: ") ? text.slice("user_note: ".length) : text;
}

function kindOf(field: Field): string {
  return field.type === "integer" ? "a whole number" : field.type === "number" ? "a number" : "one of the choices";
}

function fieldValue(field: Field, text: string): unknown {
  if (field.type === "boolean") return text === "Yes" ? true : text === "No" ? false : undefined;
  if (field.type === "number" || field.type === "integer") {
    const value = Number(text.trim());
    return text.trim() === "" || !Number.isFinite(value) || (field.type === "integer" && !Number.isInteger(value))
      ? undefined
      : value;
  }
  if (field.type === "array") return text.split(",").flatMap((part) => part.trim() || []);
  const choices = choicesOf(field);
  return choices.length === 0 ? text : choices.find(({ label, value }) => label === text || value === text)?.value;
}
