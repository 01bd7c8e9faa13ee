/**
 * What notifications and requests of the server do to the state, and what time does. Pure.
 */
import type { ServerNotification, ServerRequest } from "../../client/app-connection.js";
import { type Approval, commandApproval, fileApproval, permissionApproval } from "../approval/approval.js";
import { restoreDraft } from "../composer/composer.js";
import { elicitationApproval, elicitationForm } from "../elicitation/elicitation.js";
import { autoResolveSeconds, type FormRequest, openForm } from "../question-form/form-state.js";
import { graphemes } from "../terminal/text-width.js";
import { terminalLines } from "../transcript/terminal-text.js";
import { type AppState, notice, type Prompt, promptRequestId, removePrompt, typingLeft } from "./app-state.js";
import { type Effect, type Step, step } from "./effects.js";
import { reduceTranscript } from "./transcript-state.js";
import { closeForm } from "./update-input.js";

const promptTurn = (prompt: Prompt): string =>
  prompt.kind === "form" ? prompt.form.request.turnId : prompt.approval.turnId;

export function handleNotification(before: AppState, notification: ServerNotification, now: number): Step {
  const { method, params } = notification;
  // Other threads of the same server are none of this screen's business.
  if (
    "threadId" in params &&
    params.threadId &&
    before.settings.threadId &&
    params.threadId !== before.settings.threadId
  ) {
    return step(before);
  }
  const state = { ...before, transcript: reduceTranscript(before.transcript, notification) };
  switch (method) {
    case "turn/started":
      return step({ ...state, turnStartedAt: state.turnStartedAt ?? now, interrupting: false });
    case "turn/completed":
      return turnCompleted(state, params.turn.id, params.turn.status, now);
    case "item/completed": {
      if (params.item.type === "commandExecution" && params.item.aggregatedOutput) {
        return step({ ...state, lastOutput: terminalLines(params.item.aggregatedOutput).join("\n") });
      }
      if (params.item.type !== "userMessage") return step(state);
      const { clientId } = params.item;
      return step({ ...state, sent: state.sent.filter((message) => message.clientId !== clientId) });
    }
    case "serverRequest/resolved":
      return step(resolvedElsewhere(state, params.requestId, now));
    case "thread/tokenUsage/updated": {
      const { last, modelContextWindow } = params.tokenUsage;
      return step({ ...state, tokens: { used: last.totalTokens, window: modelContextWindow ?? null } });
    }
    case "thread/settings/updated": {
      const { model, modelProvider, cwd, approvalPolicy, collaborationMode } = params.threadSettings;
      const policy = typeof approvalPolicy === "string" ? approvalPolicy : "granular";
      const mode = collaborationMode.mode === "plan" ? "plan" : "default";
      return step({
        ...state,
        settings: { ...state.settings, model, provider: modelProvider, cwd, approvalPolicy: policy, mode },
      });
    }
    default:
      return step(state);
  }
}

function turnCompleted(before: AppState, turnId: string, status: string, now: number): Step {
  let state: AppState = { ...before, turnStartedAt: null, interrupting: false };
  for (const prompt of state.prompts.filter((entry) => promptTurn(entry) === turnId)) {
    state =
      prompt.kind === "form"
        ? closeForm(state, prompt.form, "interrupted", now)
        : removePrompt(state, promptRequestId(prompt), now);
  }
  const effects: Effect[] = [];
  if (status === "completed") {
    const [next, ...queue] = state.queue;
    if (next) effects.push({ type: "send", draft: next });
    else effects.push({ type: "attention", text: "Turn finished" });
    state = { ...state, queue };
    // What was steered too late to be part of the turn comes back.
    for (const message of state.sent.toReversed())
      state = { ...state, composer: restoreDraft(state.composer, message.draft) };
    return { state: { ...state, sent: [] }, effects };
  }
  const unsent = [...state.sent.filter((message) => message.steering).map((message) => message.draft), ...state.queue];
  for (const draft of unsent.toReversed()) state = { ...state, composer: restoreDraft(state.composer, draft) };
  return { state: { ...state, queue: [], sent: [] }, effects: [{ type: "attention", text: `Turn ${status}` }] };
}

function resolvedElsewhere(state: AppState, requestId: string | number, now: number): AppState {
  const prompt = state.prompts.find((entry) => promptRequestId(entry) === requestId);
  if (!prompt) return state;
  if (prompt.kind === "form") return closeForm(state, prompt.form, "resolvedElsewhere", now);
  return notice(removePrompt(state, requestId, now), "info", `${prompt.approval.title} It was decided elsewhere.`);
}

/** Puts a request of the server in the queue of prompts; null when this interface has no way to ask it. */
export function handleRequest(state: AppState, request: ServerRequest, now: number): Step | null {
  switch (request.method) {
    case "item/tool/requestUserInput": {
      const { params } = request;
      const formRequest: FormRequest = {
        requestId: request.id,
        turnId: params.turnId,
        itemId: params.itemId,
        isBlocking: params.isBlocking,
        questions: params.questions.map((question) => ({
          id: question.id,
          header: question.header,
          question: question.question,
          isOther: question.isOther ?? false,
          isSecret: question.isSecret ?? false,
          options: question.options ?? null,
        })),
      };
      return withPrompt(
        state,
        { kind: "form", form: openForm(formRequest, now, state.autoResolution), drawn: false },
        questionTitle(formRequest),
      );
    }
    case "item/commandExecution/requestApproval":
      return withPrompt(state, approvalPrompt(commandApproval(request)), "Approval needed");
    case "item/fileChange/requestApproval": {
      const change = state.transcript.live.find(
        ({ cell }) => cell.kind === "fileChange" && cell.itemId === request.params.itemId,
      );
      const diffs =
        change?.cell.kind === "fileChange"
          ? change.cell.changes.flatMap((entry) => [
              { label: entry.kind, text: entry.path, code: true },
              { label: "", text: entry.diff, code: true },
            ])
          : [];
      return withPrompt(state, approvalPrompt(fileApproval(request, diffs)), "Approval needed");
    }
    case "item/permissions/requestApproval":
      return withPrompt(state, approvalPrompt(permissionApproval(request)), "Approval needed");
    case "mcpServer/elicitation/request": {
      const approval = elicitationApproval(request);
      if (approval) return withPrompt(state, approvalPrompt(approval), "An MCP server asks");
      const form = openForm(elicitationForm(request), now, false);
      return withPrompt(state, { kind: "form", form, drawn: false }, "An MCP server asks");
    }
    default:
      return null;
  }
}

const approvalPrompt = (approval: Approval): Prompt => ({ kind: "approval", approval, drawn: false });

function withPrompt(state: AppState, prompt: Prompt, attention: string): Step {
  // The same request may be sent again, after a reconnect or a resume: it keeps its place.
  const known = state.prompts.findIndex((entry) => promptRequestId(entry) === promptRequestId(prompt));
  if (known >= 0) return step(state);
  return step({ ...state, prompts: [...state.prompts, prompt] }, { type: "attention", text: attention });
}

function questionTitle(request: FormRequest): string {
  const [first] = request.questions;
  if (!first) return "Question requested";
  if (request.questions.length > 1) return `${request.questions.length} questions requested`;
  const title = first.header.trim() || first.question.trim() || "Question requested";
  return graphemes(title).slice(0, 30).join("");
}

/** What is due at this time: remarks that end, questions that nobody answered. */
export function handleTime(before: AppState, now: number): Step {
  let state = before;
  if (state.hint && now >= state.hint.until) state = { ...state, hint: null };
  if (state.armed && now >= state.armed.until) state = { ...state, armed: null };
  const prompt = state.prompts[0];
  if (prompt?.kind === "form" && prompt.drawn && autoResolveSeconds(prompt.form, now) === 0) {
    const { requestId } = prompt.form.request;
    return step(closeForm(state, prompt.form, "autoResolved", now), {
      type: "respond",
      requestId,
      result: { answers: {} },
    });
  }
  return step(state);
}

/** Milliseconds until the screen changes by itself; null when only keys and the server can change it. */
export function nextTimer(state: AppState, now: number): number | null {
  const waits: number[] = [];
  const prompt = state.prompts[0];
  if (state.hint) waits.push(state.hint.until - now);
  if (state.armed) waits.push(state.armed.until - now);
  if (prompt?.kind === "form" && prompt.form.autoResolveSince !== null) {
    const hidden = prompt.form.autoResolveSince + 60_000 - now;
    waits.push(hidden > 0 ? hidden : 1000 - ((now - prompt.form.autoResolveSince) % 1000));
  }
  // The prompt gets the keys, and the draft gives its place back.
  if (prompt?.drawn && typingLeft(state, now) > 0) waits.push(typingLeft(state, now));
  // The clock and the dot of a working turn; nothing moves while the person is asked.
  if (state.turnStartedAt !== null && !prompt) waits.push(500 - ((now - state.turnStartedAt) % 500));
  if (state.busy) waits.push(500 - ((now - state.busy.since) % 500));
  return waits.length === 0 ? null : Math.max(10, Math.min(...waits));
}
