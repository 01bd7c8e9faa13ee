/** The head of a rollout: whose session it is and how it began. `id` is the thread; `session_id` its root thread. */
import { type Static, Type } from "typebox";
import { SessionSource } from "../agent/session-source.js";
import { ThreadHistoryMode } from "../agent/settings-values.js";
import { maybe, open } from "../define.js";

export const GitInfo = open("GitInfo", {
  commit_hash: maybe(Type.String()),
  branch: maybe(Type.String()),
  repository_url: maybe(Type.String()),
});
export type GitInfo = Static<typeof GitInfo>;

export const BaseInstructions = open("BaseInstructions", { text: Type.String() });
export type BaseInstructions = Static<typeof BaseInstructions>;

/** Where the inherited part of a paginated thread lies. `end_byte_offset` is the byte after its last line. */
export const HistoryBase = open("HistoryBase", {
  thread_id: Type.String(),
  end_ordinal_exclusive: Type.Integer({ minimum: 0 }),
  end_byte_offset: Type.Integer({ minimum: 0 }),
});
export type HistoryBase = Static<typeof HistoryBase>;

export const SessionMeta = open("SessionMeta", {
  session_id: Type.Optional(Type.String()),
  id: Type.String(),
  forked_from_id: maybe(Type.String()),
  parent_thread_id: maybe(Type.String()),
  timestamp: Type.String(),
  cwd: Type.String(),
  originator: Type.String(),
  cli_version: Type.String(),
  source: Type.Optional(SessionSource),
  thread_source: maybe(Type.String()),
  agent_nickname: maybe(Type.String()),
  agent_role: maybe(Type.String()),
  agent_path: maybe(Type.String()),
  model_provider: maybe(Type.String()),
  base_instructions: maybe(BaseInstructions),
  dynamic_tools: maybe(Type.Array(Type.Unknown())),
  selected_capability_roots: Type.Optional(Type.Array(Type.Unknown())),
  memory_mode: maybe(Type.String()),
  history_mode: Type.Optional(ThreadHistoryMode),
  history_base: maybe(HistoryBase),
  forked_from_ordinal_exclusive: maybe(Type.Integer({ minimum: 0 })),
  subagent_history_start_ordinal: maybe(Type.Integer({ minimum: 0 })),
  multi_agent_version: maybe(Type.String()),
  context_window: maybe(open("ContextWindowInfo", { window_id: Type.String() })),
  git: maybe(GitInfo),
});
export type SessionMeta = Static<typeof SessionMeta>;
