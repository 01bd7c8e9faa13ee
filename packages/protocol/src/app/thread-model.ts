/** A thread: identity, source, status and turns. */
import { type Static, Type } from "typebox";
import { ThreadHistoryMode } from "../agent/settings-values.js";
import { anyOf, literals, maybe, named, nullable, open, shape, stringEnum, taggedUnion, wrapped } from "../define.js";
import { AbsolutePathBuf, AgentPath, ThreadId } from "./scalars.js";
import { Turn } from "./turn-model.js";

export const AppGitInfo = open("AppGitInfo", {
  sha: maybe(Type.String()),
  branch: maybe(Type.String()),
  originUrl: maybe(Type.String()),
});
export type AppGitInfo = Static<typeof AppGitInfo>;

export const AppSubAgentSource = named(
  "AppSubAgentSource",
  anyOf([
    literals(["review", "compact", "memory_consolidation"]),
    wrapped(
      "thread_spawn",
      shape({
        parent_thread_id: ThreadId,
        depth: Type.Integer(),
        agent_path: maybe(AgentPath),
        agent_nickname: maybe(Type.String()),
        agent_role: maybe(Type.String()),
      }),
    ),
    wrapped("other", Type.String()),
  ]),
);
export type AppSubAgentSource = Static<typeof AppSubAgentSource>;

export const AppSessionSource = named(
  "AppSessionSource",
  anyOf([
    literals(["cli", "vscode", "exec", "appServer", "unknown"]),
    wrapped("custom", Type.String()),
    wrapped("subAgent", AppSubAgentSource),
  ]),
);
export type AppSessionSource = Static<typeof AppSessionSource>;

export const ThreadExtra = open("ThreadExtra", {});
export type ThreadExtra = Static<typeof ThreadExtra>;

export const ThreadSectionAppearance = open("ThreadSectionAppearance", {
  icon: maybe(Type.String()),
  color: maybe(Type.String()),
});
export type ThreadSectionAppearance = Static<typeof ThreadSectionAppearance>;

export const ThreadSection = open("ThreadSection", {
  id: Type.String(),
  name: Type.String(),
  appearance: maybe(ThreadSectionAppearance),
});
export type ThreadSection = Static<typeof ThreadSection>;

export const ThreadSource = named("ThreadSource", Type.String());
export type ThreadSource = Static<typeof ThreadSource>;

export const ThreadActiveFlag = stringEnum("ThreadActiveFlag", ["waitingOnApproval", "waitingOnUserInput"]);
export type ThreadActiveFlag = Static<typeof ThreadActiveFlag>;

export const ThreadStatus = taggedUnion("ThreadStatus", "type", {
  notLoaded: {},
  idle: {},
  systemError: {},
  active: {
    activeFlags: Type.Array(ThreadActiveFlag),
  },
});
export type ThreadStatus = Static<typeof ThreadStatus>;

export const Thread = open("Thread", {
  id: Type.String(),
  extra: maybe(ThreadExtra),
  sessionId: Type.String(),
  forkedFromId: maybe(Type.String()),
  parentThreadId: maybe(Type.String()),
  preview: Type.String(),
  ephemeral: Type.Boolean(),
  section: maybe(ThreadSection),
  sectionEnteredAt: maybe(Type.Integer()),
  projectId: nullable(Type.String()),
  historyMode: Type.Optional(ThreadHistoryMode),
  modelProvider: Type.String(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  recencyAt: maybe(Type.Integer()),
  status: ThreadStatus,
  path: maybe(Type.String()),
  cwd: AbsolutePathBuf,
  cliVersion: Type.String(),
  source: AppSessionSource,
  canAcceptDirectInput: maybe(Type.Boolean()),
  threadSource: maybe(ThreadSource),
  agentNickname: maybe(Type.String()),
  agentRole: maybe(Type.String()),
  gitInfo: maybe(AppGitInfo),
  name: maybe(Type.String()),
  turns: Type.Array(Turn),
});
export type Thread = Static<typeof Thread>;
