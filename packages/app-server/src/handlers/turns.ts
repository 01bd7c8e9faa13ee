/** Reads the turns of a thread, loaded or not, from its file. */
import type { Turn } from "@turnkit/protocol/app";
import type { ThreadRecord } from "../ports.js";
import type { LoadedThread } from "../threads/loaded-thread.js";
import type { ServerContext } from "./handler.js";

/** What the session recorded so far is written first. The last turn of a thread that runs it is `inProgress`. */
export async function readTurns(server: ServerContext, record: ThreadRecord, thread?: LoadedThread): Promise<Turn[]> {
  if (record.path === null || (thread && !thread.materialized)) return [];
  await thread?.session.flush();
  const turns = thread?.takeOpenedTurns() ?? (await (await server.host()).store.turns(record.path));
  const running = thread?.activeTurnId ?? null;
  return turns.map((turn) =>
    running !== null && turn.id === running
      ? { ...turn, status: "inProgress", completedAt: null, durationMs: null }
      : turn,
  );
}

/** First message of the person and last one of the agent. */
export function summarize(turn: Turn): Turn {
  const first = turn.items.find((item) => item.type === "userMessage");
  const last = turn.items.findLast((item) => item.type === "agentMessage");
  return { ...turn, items: [first, last].filter((item) => item !== undefined), itemsView: "summary" };
}
