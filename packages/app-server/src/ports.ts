/**
 * What the app-server needs from the rest of the program: threads that run, and threads on disk.
 * `compose.ts` implements it with core and exec-server; tests implement it with fakes.
 */
import type { McpServerSnapshot, Session } from "@turnkit/core";
import type { McpServerConfig } from "@turnkit/core/config";
import type { McpLogin } from "@turnkit/core/mcp-oauth";
import type { QueueDispatcher, ThreadQueue } from "@turnkit/core/queue";
import type { AskForApproval, Personality, ResponseItem, SandboxMode } from "@turnkit/protocol";
import type {
  AppGitInfo,
  AppResult,
  AppSessionSource,
  ExperimentalFeature,
  HooksListEntry,
  Model,
  SkillsListEntry,
  Turn,
} from "@turnkit/protocol/app";

/** A thread as the files know it. Times are Unix seconds. */
export interface ThreadRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly forkedFromId: string | null;
  readonly parentThreadId: string | null;
  /** Null: nothing is written. The file may not exist yet. */
  readonly path: string | null;
  readonly cwd: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly preview: string;
  readonly modelProvider: string;
  readonly source: AppSessionSource;
  readonly threadSource: string | null;
  readonly cliVersion: string;
  readonly gitInfo: AppGitInfo | null;
  readonly name: string | null;
}

/** What a client may ask for when it opens a thread; undefined: the configuration decides. */
export interface ThreadOptions {
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly modelProvider: string | undefined;
  readonly serviceTier: string | null | undefined;
  readonly approvalPolicy: AskForApproval | undefined;
  readonly sandbox: SandboxMode | undefined;
  /** The id of a permission profile; excludes `sandbox`. */
  readonly permissions?: string | undefined;
  /** Folders that a confined command may write, beside `cwd`. */
  readonly workspaceRoots: readonly string[] | undefined;
  readonly personality: Personality | undefined;
  readonly baseInstructions: string | undefined;
  readonly developerInstructions: string | undefined;
  readonly ephemeral: boolean;
  /** Configuration overrides by dotted key. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly clientName: string;
  /** Where the thread's processes run. */
  readonly environmentId: string | undefined;
  /** What hooks are told of the start of a new thread. */
  readonly startSource: "startup" | "clear" | undefined;
  readonly threadSource: string | null;
}

export type ThreadOrigin =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly path: string }
  /** A new thread whose history is that of the file up to and including `lastTurnId` (all of it when null). */
  | { readonly kind: "fork"; readonly path: string; readonly lastTurnId: string | null }
  /** History handed over by the client instead of a file. */
  | { readonly kind: "items"; readonly items: readonly ResponseItem[] };

export interface OpenedThread {
  readonly session: Session;
  readonly record: ThreadRecord;
  /** Native paths of the instruction files that were read. */
  readonly instructionSources: readonly string[];
  readonly workspaceRoots: readonly string[];
  readonly environmentId: string;
  /** For the client that opened the thread. */
  readonly warnings: readonly string[];
  /** The newest turn of its file was cut off. Default: it was not. */
  readonly wasInterrupted?: boolean;
  /** The turns of its file as it was opened, so that it is not read twice. What they are made of lives as long as this. */
  readonly turns?: () => Turn[];
}

export interface ThreadQuery {
  readonly archived: boolean;
  readonly cwds: readonly string[] | null;
  readonly modelProviders: readonly string[] | null;
  readonly sources: readonly string[] | null;
  readonly searchTerm: string | null;
  readonly sortKey: "createdAt" | "updatedAt";
  readonly ascending: boolean;
}

export interface ThreadStore {
  /** Every thread with at least one turn that matches, in order. */
  list(query: ThreadQuery): Promise<ThreadRecord[]>;
  find(threadId: string): Promise<ThreadRecord | null>;
  /** By file. null: no such file. @throws {Error} not a rollout */
  read(path: string): Promise<ThreadRecord | null>;
  turns(path: string): Promise<Turn[]>;
  archive(threadId: string): Promise<ThreadRecord>;
  unarchive(threadId: string): Promise<ThreadRecord>;
  remove(threadId: string): Promise<void>;
  rename(threadId: string, name: string | null): Promise<void>;
  /** Takes the place of what the file says. */
  setGitInfo(threadId: string, gitInfo: AppGitInfo): Promise<void>;
  /** Threads in which somebody said it, in order, each with the place where; see `list`. */
  search(term: string, query: ThreadQuery): Promise<FoundThread[]>;
}

export interface FoundThread {
  readonly record: ThreadRecord;
  /** One line around the first place, without line breaks. */
  readonly snippet: string;
}

/** What waits for threads until they are idle. */
export interface ThreadQueues {
  /** The same for the same thread. */
  of(threadId: string): ThreadQueue;
  /** Without opening it. */
  isEmpty(threadId: string): boolean;
  /** With everything in it; for a thread that is deleted. */
  remove(threadId: string): Promise<void>;
  /** Sends what waits, from now until the session ends. One for each session. */
  dispatch(options: DispatchOptions): QueueDispatcher;
}

export interface DispatchOptions {
  readonly session: Session;
  /** Nothing is sent before another turn has ended. */
  readonly held: boolean;
  readonly changed: () => void;
}

/** Where processes can run: here (`local`) or on exec-servers. */
export interface Environments {
  has(environmentId: string): boolean;
  add(environmentId: string, execServerUrl: string): void;
  status(environmentId: string): "ready" | "pending" | "disconnected" | "unknown";
  /** Connects when needed. @throws {Error} no connection */
  info(environmentId: string): Promise<{ shell: { name: string; path: string }; cwd: string }>;
}

/** What clients ask about beside threads. Shapes are the protocol's. */
export interface Catalogue {
  /** Default model first, hidden ones included. */
  models(): Promise<Model[]>;
  features(): Promise<ExperimentalFeature[]>;
  account(): Promise<AppResult<"account/read">>;
  /** The configuration in force for a folder, as one table. */
  config(cwd: string | null): Promise<Record<string, unknown>>;
  skills(cwd: string): Promise<SkillsListEntry>;
  hooks(cwd: string): Promise<HooksListEntry>;
  plugins(cwds: readonly string[]): Promise<AppResult<"plugin/list">>;
}

export interface McpLoginRequest {
  readonly name: string;
  /** undefined: the configuration's, else what the server asks for. */
  readonly scopes: readonly string[] | undefined;
  /** undefined: 5 minutes. */
  readonly timeoutMs: number | undefined;
}

/** MCP servers apart from any thread. */
export interface ConfiguredMcp extends AsyncDisposable {
  /** As the configuration names them now. */
  servers(): Promise<Readonly<Record<string, McpServerConfig>>>;
  /** Starts all of them for a moment to see what they have. */
  look(options: { readonly resources: boolean; readonly signal: AbortSignal }): Promise<readonly McpServerSnapshot[]>;
  /** Begins to sign in to a configured server. @throws {McpError} it cannot begin */
  login(request: McpLoginRequest): Promise<McpLogin>;
}

export interface ThreadHost extends AsyncDisposable {
  /** Native absolute path of the folder for configuration and sessions. */
  readonly home: string;
  readonly version: string;
  readonly store: ThreadStore;
  readonly queues: ThreadQueues;
  readonly environments: Environments;
  readonly catalogue: Catalogue;
  readonly mcp: ConfiguredMcp;
  open(origin: ThreadOrigin, options: ThreadOptions): Promise<OpenedThread>;
}
