/** What started a session. */
import { type Static, Type } from "typebox";
import { anyOf, literals, maybe, named, shape, wrapped } from "../define.js";

export const SubAgentSource = named(
  "SubAgentSource",
  anyOf([
    literals(["review", "compact", "memory_consolidation"]),
    wrapped(
      "thread_spawn",
      shape({
        parent_thread_id: Type.String(),
        depth: Type.Integer(),
        agent_path: maybe(Type.String()),
        agent_nickname: maybe(Type.String()),
        agent_role: maybe(Type.String()),
      }),
    ),
    wrapped("other", Type.String()),
  ]),
);
export type SubAgentSource = Static<typeof SubAgentSource>;

/** Sessions of source `internal` or `subagent` are not root threads: they may not ask the person. */
export const SessionSource = named(
  "SessionSource",
  anyOf([
    literals(["cli", "vscode", "exec", "mcp", "unknown"]),
    wrapped("custom", Type.String()),
    wrapped("internal", Type.String()),
    wrapped("subagent", SubAgentSource),
  ]),
);
export type SessionSource = Static<typeof SessionSource>;
