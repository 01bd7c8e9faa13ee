/**
 * What a session offers to its owner (an app-server, an embedding program, a test).
 * Types only: the session core implements them.
 */
import type {
  EventMsg,
  RequestUserInputResponse,
  ReviewDecision,
  ThreadSettings,
  ThreadSettingsOverrides,
  TokenUsageInfo,
  TurnInputMode,
  TurnInputRequest,
  TurnInputSubmission,
} from "@turnkit/protocol";

/** `id` is the submission (turn) the event belongs to; `msg` is the protocol's event. Order per session is total. */
export interface SessionEvent {
  readonly id: string;
  readonly msg: EventMsg;
}

export interface BackgroundTerminal {
  readonly itemId: string;
  readonly processId: string;
  readonly command: string;
  readonly cwd: string;
}

/** Why a pending question ended; named in logs, history cells and diagnostics (never on the wire). */
export type AnswerCause = "submitted" | "submittedEmpty" | "autoResolved" | "clientFailed" | "holderCleared";

export interface SessionSnapshot {
  readonly threadId: string;
  readonly settings: ThreadSettings;
  readonly activeTurnId: string | null;
  readonly tokenUsage: TokenUsageInfo | null;
  readonly rolloutPath: string | null;
}

export interface Session extends AsyncDisposable {
  readonly threadId: string;
  snapshot(): SessionSnapshot;

  /** Listeners run synchronously, in order, as events happen; a throwing listener does not hurt others. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** The same events as an async iterable that ends when the session has shut down. */
  events(options?: { signal?: AbortSignal }): AsyncIterable<SessionEvent>;

  /**
   * Answers what was decided, not what will happen: started, steered, or not submitted and why.
   * @throws {InvalidRequestError} settings or input of the wrong kind; nothing was changed
   */
  submit(request: TurnInputRequest, mode: TurnInputMode): Promise<TurnInputSubmission>;
  /** Changes settings for later turns without input. */
  updateSettings(overrides: ThreadSettingsOverrides): Promise<void>;
  /** Resolves when the turn has ended (or at once when none is active). */
  interrupt(): Promise<void>;

  /** Answers the question pending for this turn id; without one, a warning is logged and nothing kept. */
  answer(turnId: string, response: RequestUserInputResponse, cause?: AnswerCause): void;
  /** Answers an approval request by its id (`approval_id`, else `call_id`). */
  decide(approvalId: string, decision: ReviewDecision): void;

  /** Elicitations held by the owner; while any is outstanding tool deadlines move. */
  incrementElicitation(): number;
  decrementElicitation(): number;

  backgroundTerminals(): readonly BackgroundTerminal[];
  terminateBackgroundTerminal(processId: string): Promise<boolean>;
  cleanBackgroundTerminals(): Promise<void>;

  /** Waits until everything recorded so far is on disk. */
  flush(): Promise<void>;
  /** Ends the turn, the processes and the recorder. */
  shutdown(): Promise<void>;
}
