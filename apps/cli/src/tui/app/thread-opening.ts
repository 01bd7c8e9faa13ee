/** Opens the thread on the screen: a new one, an earlier one, or a copy of this one. */
import type { AppParams, AppResult } from "@turnkit/protocol/app";
import type { AppState } from "../state/app-state.js";
import { historyCells } from "../state/item-cells.js";
import type { ThreadSettings } from "../state/thread-facts.js";
import { emptyTranscript, pushCell } from "../state/transcript-state.js";
import type { AppContext } from "./app-context.js";

type Opened = AppResult<"thread/start">;

export function settingsOf(opened: Opened, version: string): ThreadSettings {
  return {
    threadId: opened.thread.id,
    model: opened.model,
    provider: opened.modelProvider,
    cwd: opened.cwd,
    approvalPolicy: typeof opened.approvalPolicy === "string" ? opened.approvalPolicy : "granular",
    sandbox: opened.sandbox.type,
    mode: "default",
    rolloutPath: opened.thread.path ?? null,
    version,
  };
}

/** The state of a thread that was just opened, with the history it has. */
export function openedState(state: AppState, opened: Opened): AppState {
  const { done, reasoning } = state.transcript;
  let transcript = { ...emptyTranscript, done, reasoning };
  for (const cell of historyCells(opened.thread.turns, reasoning)) transcript = pushCell(transcript, cell);
  return {
    ...state,
    transcript,
    settings: settingsOf(opened, state.settings.version),
    prompts: [],
    queue: [],
    sent: state.sent,
    picker: null,
    tokens: null,
  };
}

export async function openThread(
  app: AppContext,
  origin: { readonly resume?: string; readonly fork?: string } = {},
  start: AppParams<"thread/start"> = {},
): Promise<string> {
  const { connection } = app;
  const reads = origin.resume !== undefined || origin.fork !== undefined;
  if (reads) {
    app.update({ ...app.state, picker: null, busy: { text: "Reading the thread", since: performance.now() } });
    // On the screen before the work begins: a server in this process may keep it busy.
    await app.drawn();
  }
  try {
    const opened =
      origin.resume !== undefined
        ? await connection.request("thread/resume", { threadId: origin.resume })
        : origin.fork !== undefined
          ? await connection.request("thread/fork", { threadId: origin.fork })
          : await connection.request("thread/start", start);
    app.update(openedState(app.state, opened));
    return opened.thread.id;
  } finally {
    if (reads) app.update({ ...app.state, busy: null });
  }
}
