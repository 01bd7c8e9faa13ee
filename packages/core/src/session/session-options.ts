/** What a session is made of. Everything but a model client and settings has a default. */
import type { ResponseItem, SessionMeta, SessionSource, ThreadSettings, TokenUsageInfo } from "@turnkit/protocol";
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { ReplacedHistory } from "@turnkit/protocol/rollout";
import type {
  Clock,
  Logger,
  NetworkApprovals,
  Shell,
  ShellEnvironmentPolicy,
  Tool,
  ToolHooks,
  ToolObserver,
} from "@turnkit/tools";
import type { WindowState } from "../compaction/windows.js";
import type { ProjectInstructionSettings } from "../context/project-instructions.js";
import type { Skill } from "../context/skills/skill.js";
import type { ToldSections } from "../context/world-state.js";
import type { CommandHandler } from "../hooks/hook-config.js";
import type { PermissionOutcome, PermissionRequest } from "../hooks/permission-request.js";
import type { CoverDescriptors } from "../hooks/run-command.js";
import type { McpOptions } from "../mcp/session-mcp.js";
import type { ListedModel, ModelOverrides } from "../model/model-catalogue.js";
import type { ModelClient } from "../model/model-client.js";
import type { RolloutRecorder } from "../rollout/recorder.js";
import type { TurnNotifierOptions } from "./turn-notifier.js";

export interface SessionFeatures {
  /** `default_mode_request_user_input`: the question tool also works in Default mode. */
  readonly defaultModeQuestions: boolean;
  /** `[tools.experimental_request_user_input] enabled`. */
  readonly questionTool: boolean;
  /** `request_permissions_tool`: the model may ask for permissions beyond the sandbox. */
  readonly permissionTool: boolean;
  /** `exec_permission_approvals`: a command may ask for them for itself. */
  readonly commandPermissions: boolean;
}

/** Decisions of hooks about a prompt; tools ask their own hooks. */
export interface PromptHooks {
  userPromptSubmit(prompt: string, turnId: string, signal: AbortSignal): Promise<PromptHookOutcome>;
  stop(
    options: { turnId: string; stopHookActive: boolean; lastMessage: string | null },
    signal: AbortSignal,
  ): Promise<StopHookOutcome>;
  /** After an interruption has been recorded. */
  interrupted?(turnId: string): Promise<void>;
  /** Before the first prompt. `blocked`: the turn ends without asking the model. */
  sessionStart?(source: SessionStartSource, turnId: string, signal: AbortSignal): Promise<PromptHookOutcome>;
  /** When the session ends. */
  sessionEnd?(): Promise<void>;
  /** false: the history stays as it is. */
  preCompact?(trigger: CompactTrigger, turnId: string, signal: AbortSignal): Promise<boolean>;
  postCompact?(trigger: CompactTrigger, turnId: string, signal: AbortSignal): Promise<void>;
  /** Before a person is asked. */
  permissionRequest?(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome>;
  /** What hooks that nobody waits for have said since the last time. */
  takeBackgroundContexts?(): readonly string[];
}

export type SessionStartSource = "startup" | "resume" | "clear" | "compact";
export type CompactTrigger = "manual" | "auto";

export type { PermissionOutcome, PermissionRequest };

/** Hooks that are commands of the person. */
export interface CommandHookOptions {
  /** Those that may run. */
  readonly handlers: readonly CommandHandler[];
  /** What the commands inherit; default: this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Needed where terminals live in this process: what the commands must not inherit of them. */
  readonly coverDescriptors?: CoverDescriptors;
}

export interface PromptHookOutcome {
  readonly blocked: boolean;
  /** Told to the model whether or not the prompt was blocked. */
  readonly contexts: readonly string[];
}

export interface StopHookOutcome {
  /** Non-empty: the turn goes on with these. */
  readonly continuations: readonly { readonly text: string; readonly hookRunId: string }[];
  /** A block without a prompt. */
  readonly emptyBlock: boolean;
}

export type SessionHooks = ToolHooks & PromptHooks;

/** Keeps sessions. `FileThreadStore` is the one with files. */
export interface ThreadStore {
  /** For a new thread. Nothing is made before the first input. */
  create(meta: SessionMeta, startedAt: Date): RolloutRecorder;
  /** For going on with a kept one. */
  resume(path: string): RolloutRecorder;
}

/** A thread as it was read back; see `resumeThread`. */
export interface InitialHistory {
  readonly items: readonly ResponseItem[];
  readonly usage: TokenUsageInfo | null;
  /** What the model was last told about its surroundings; null: not known. */
  readonly worldState: Readonly<Record<string, unknown>> | null;
  /** The file to go on with; null: the session writes a new one. */
  readonly path: string | null;
  /** What compactions put out of the model's sight. */
  readonly replaced?: ReplacedHistory | null;
  /** The stretch between compactions that the file ends in. */
  readonly window?: WindowState | null;
  /** Lines a new file begins with after its head, as they were read: a copied history. */
  readonly copiedLines?: readonly unknown[];
}

export interface SessionOptions {
  readonly modelClient: ModelClient;
  /** In force until changed. `cwd` is a native absolute path. */
  readonly settings: ThreadSettings;
  /** null or absent: no commands. */
  readonly processHost?: ProcessHost | null;
  /** null or absent: nothing is kept on disk. */
  readonly store?: ThreadStore | null;
  readonly history?: InitialHistory;
  /** Default: a fresh one. */
  readonly threadId?: string;
  /** The root thread's id; default: the thread's own. */
  readonly sessionId?: string;
  /** The thread of which this one is a fresh fork. */
  readonly forkedFromId?: string;
  /** Default `"unknown"`. Sessions of source `internal` or `subagent` may not ask the person. */
  readonly source?: SessionSource;
  /** What hooks are told of a new session's start; one with a history is resumed. Default `"startup"`. */
  readonly startSource?: "startup" | "clear";
  /** The program on whose behalf the session runs, as it is written into the session file. */
  readonly originator?: string;
  readonly features?: Partial<SessionFeatures>;
  /** Added to the built-in tools; a name that is taken is an error. */
  readonly tools?: readonly Tool[];
  /** Default: `commandHooks`. */
  readonly hooks?: SessionHooks;
  readonly commandHooks?: CommandHookOptions;
  /** Run after every turn of a root thread that ended well. */
  readonly notify?: TurnNotifierOptions;
  /** Where commands are kept that were allowed for good; default: nowhere. */
  readonly rulesFile?: string;
  /** The folder of the person's own AGENTS.md; absent: only the project's are read. */
  readonly instructionsFolder?: string;
  /** How the AGENTS.md of projects are found. */
  readonly projectInstructions?: ProjectInstructionSettings;
  /** The skills there are for a folder; asked once for each folder. */
  readonly skills?: (cwd: string) => Promise<readonly Skill[]>;
  /** All models there are; absent: what is known by their names. */
  readonly models?: readonly ListedModel[];
  /** What the person says of their model, over what is known of it. */
  readonly modelOverrides?: ModelOverrides;
  /** What the model is told of its surroundings; absent members: true. */
  readonly toldSections?: Partial<ToldSections>;
  /** Absent: no MCP servers, and none for skills. */
  readonly mcp?: McpOptions;
  readonly observer?: ToolObserver;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** `"ask"`: commands reach the network through a proxy on loopback, which asks the person. Absent: nothing mediates. */
  readonly network?: NetworkApprovals | "ask";
  readonly baseInstructions?: string;
  /** Told to the model as a developer. */
  readonly developerInstructions?: string;
  /** In tokens; default: the model's own. */
  readonly modelContextWindow?: number;
  readonly compaction?: CompactionSettings;
  readonly exec?: ExecSettings;
}

export interface CompactionSettings {
  /** What the model is asked for; default: a prompt of ours. */
  readonly prompt?: string | undefined;
  /** Tokens from which on the history is compacted by itself; at most, and by default, nine tenths of the window. */
  readonly tokenLimit?: number | undefined;
}

export interface ExecSettings {
  /** Default: what the process host says. */
  readonly shell?: Shell;
  readonly loginAllowed?: boolean;
  readonly environmentPolicy?: ShellEnvironmentPolicy;
  /** What commands may inherit; default: this process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Longest wait of an empty poll, in milliseconds. */
  readonly maxPollMs?: number;
}
