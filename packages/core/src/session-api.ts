/**
 * What a session offers to its owner (an app-server, an embedding program, a test).
 * Types only: `createSession` makes one.
 */
import type {
  EventMsg,
  InterAgentCommunication,
  RequestUserInputResponse,
  ResponseItem,
  ReviewDecision,
  ThreadSettings,
  ThreadSettingsOverrides,
  TokenUsageInfo,
  TurnInputMode,
  TurnInputRequest,
  TurnInputSubmission,
} from "@turnkit/protocol";
import type { PermissionAnswer } from "@turnkit/tools";
import type { McpServerConfig } from "./config/mcp-config.js";
import type { ElicitationAnswer } from "./mcp/elicitation.js";
import type { McpCallResult, McpServerSnapshot } from "./mcp/server-facts.js";

export type { ElicitationAnswer, McpCallResult, McpServerSnapshot, PermissionAnswer };

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

/** Why a question of the model was not put to the person at all; the model reads the refusal. */
export type NotShownReason = "switchedOff" | "notRootThread" | "unavailableMode" | "invalidArguments";

/** How many questions ended, or were not shown, for which reason since the session began; absent: none. */
export type QuestionCounts = { readonly [Reason in AnswerCause | NotShownReason]?: number };

/** How the wait for an answer ended; the newest hundred are kept. */
export interface AnswerRecord {
  readonly turnId: string;
  readonly cause: AnswerCause;
}

export interface SessionSnapshot {
  readonly threadId: string;
  readonly settings: ThreadSettings;
  readonly activeTurnId: string | null;
  readonly tokenUsage: TokenUsageInfo | null;
  /** Where the session file is or will be; null for a session that keeps none. */
  readonly rolloutPath: string | null;
  /** Whether the session file exists. */
  readonly isMaterialized: boolean;
  readonly answers: readonly AnswerRecord[];
  readonly questions: QuestionCounts;
}

export interface Session extends AsyncDisposable {
  readonly threadId: string;
  snapshot(): SessionSnapshot;

  /**
   * Listeners run synchronously, in order, as events happen; a throwing listener does not hurt others.
   * Nothing of a turn is reported before `submit` has resolved and the tasks that awaited it have run.
   */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** The same events as an async iterable that ends when the session has shut down. */
  events(options?: { signal?: AbortSignal }): AsyncIterable<SessionEvent>;

  /**
   * Answers what was decided, not what will happen: started, steered, or not submitted and why.
   * A turn that is just ending is waited for first.
   * @throws {InvalidRequestError} settings or input of the wrong kind; nothing was changed
   * @throws {SessionClosedError}
   */
  submit(request: TurnInputRequest, mode: TurnInputMode): Promise<TurnInputSubmission>;
  /** Goes on with a turn that was cut off: samples without new input, under the same turn id. */
  recover(turnId: string, settings?: ThreadSettingsOverrides): Promise<TurnInputSubmission>;
  /** A message of another agent. One with `trigger_turn` starts a turn when the session is idle. */
  deliver(communication: InterAgentCommunication): void;
  /**
   * Changes settings for later turns without input; `thread_settings_applied` is reported.
   * @throws {InvalidRequestError}
   */
  updateSettings(overrides: ThreadSettingsOverrides): Promise<void>;
  /** Resolves when the turn has ended (or at once when none is active). */
  interrupt(): Promise<void>;
  /**
   * Shortens the history in a turn of its own, which takes the place of a running one: the person's messages stay, the
   * rest gives way to a summary. Answers with the turn's id; `context_compacted` is reported when it is done.
   * @throws {SessionClosedError}
   */
  compact(): Promise<string>;
  /**
   * Runs a command for the person, outside of any sandbox, and tells the model of it. Within a regular turn it runs
   * beside it; else it is a turn of its own. Answers with the turn's id.
   * @throws {InvalidRequestError} the history is just being compacted
   */
  runShellCommand(command: string): Promise<string>;
  /**
   * Puts items into the history as they are, without a turn; a running turn takes them with its next request.
   * @throws {InvalidRequestError} an item is not one; nothing was changed
   */
  injectItems(items: readonly ResponseItem[]): Promise<void>;
  /**
   * Forgets the newest turns of the history; `thread_rolled_back` is reported.
   * @throws {InvalidRequestError} a turn is running, or `turns` is below 1
   */
  rollback(turns: number): Promise<void>;

  /** Answers the question pending for this turn id; without one, a warning is logged and nothing kept. */
  answer(turnId: string, response: RequestUserInputResponse, cause?: AnswerCause): void;
  /** Answers an approval request by its id (`approval_id`, else `call_id`). */
  decide(approvalId: string, decision: ReviewDecision): void;

  /**
   * Answers a request for permissions by its `call_id`; what was not asked for is not granted, and no permissions are a
   * refusal. The model reads what was granted.
   */
  grantPermissions(callId: string, answer: PermissionAnswer): void;

  /** Answers what an MCP server asks (`elicitation_request`, by its `server_name` and `id`). */
  resolveElicitation(server: string, id: string | number, answer: ElicitationAnswer): void;
  /** The MCP servers by name, with their tools; with `resources`, they are asked for these too. */
  mcpServers(options?: {
    readonly resources?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<readonly McpServerSnapshot[]>;
  /** Calls a tool for the session's owner. @throws {McpError} */
  callMcpTool(server: string, tool: string, input: unknown, meta?: unknown): Promise<McpCallResult>;
  /** Reads a resource for the session's owner. @throws {McpError} */
  readMcpResource(server: string, uri: string): Promise<Readonly<Record<string, unknown>>>;
  /** Stops the servers that are no longer configured so, and starts the new ones. */
  reloadMcpServers(servers: Readonly<Record<string, McpServerConfig>>): Promise<void>;
  /** Starts a server that has failed again, as after a login. Resolves when it runs or has failed. */
  retryMcpServer(server: string): Promise<void>;

  /** Elicitations held by the owner; while any is outstanding tool deadlines move. Both return the owner's count. */
  incrementElicitation(): number;
  /** @throws {InvalidRequestError} there is none to decrement */
  decrementElicitation(): number;

  backgroundTerminals(): readonly BackgroundTerminal[];
  terminateBackgroundTerminal(processId: string): Promise<boolean>;
  cleanBackgroundTerminals(): Promise<void>;

  /** Waits until everything recorded so far is on disk. */
  flush(): Promise<void>;
  /** Ends the turn, the processes and the recorder; `shutdown_complete` is the last event. */
  shutdown(): Promise<void>;
}
