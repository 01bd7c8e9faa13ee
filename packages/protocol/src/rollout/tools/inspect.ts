/** A session file in one object: what `turnkit rollout inspect --json` prints. */
import type { SessionSource } from "../../agent/session-source.js";
import type { ThreadItem } from "../../app/item.js";
import type { TurnStatus } from "../../app/turn-model.js";
import { parseRolloutFileName } from "../file-name.js";
import { rebuildModelInput } from "../model-input.js";
import type { Era } from "../project/era.js";
import { projectThread } from "../project/project-thread.js";
import { collectRollout, type ReadRolloutOptions } from "../read-rollout.js";
import { type LoadAncestor, resolveHistory } from "../resolve-history.js";

export interface InspectOptions extends ReadRolloutOptions {
  /** As it is shown; its name also tells the thread where the head does not. */
  readonly file: string;
  /** Finds files that this one refers to. Without it their history is missing. */
  readonly load?: LoadAncestor;
}

export interface InspectedInput {
  readonly type: string;
  readonly role?: string;
  readonly name?: string;
}

export interface RolloutInspection {
  readonly file: string;
  readonly era: Era;
  readonly cliVersion: string | null;
  readonly threadId: string | null;
  readonly source: SessionSource | null;
  readonly historyMode: "legacy" | "paginated";
  readonly turns: readonly {
    readonly id: string;
    readonly status: TurnStatus;
    readonly items: readonly ThreadItem[];
  }[];
  readonly modelInput: readonly InspectedInput[];
  /** `line` is 0 for what concerns the whole file. */
  readonly losses: readonly { readonly line: number; readonly reason: string }[];
  /** History that lies in files of other threads and was not found: neither shown nor in the model's input. */
  readonly missingHistory: readonly { readonly threadId: string; readonly reason: string }[];
}

/** Reads the whole stream. Never throws for what is in it. */
export async function inspectRollout(
  source: AsyncIterable<Uint8Array>,
  options: InspectOptions,
): Promise<RolloutInspection> {
  const records = await collectRollout(source, options);
  const { inherited, missing } = await resolveHistory(records, options.load ?? (async () => undefined));
  const thread = projectThread(records, { inherited });
  const losses = records.flatMap((record) =>
    record.kind === "loss" ? [{ line: record.line, reason: record.reason }] : [],
  );
  if (!thread.meta) losses.push({ line: 0, reason: "the file has no readable head" });
  return {
    file: options.file,
    era: thread.era,
    cliVersion: thread.cliVersion,
    threadId: parseRolloutFileName(options.file)?.threadId ?? thread.threadId,
    source: thread.source,
    historyMode: thread.historyMode,
    turns: thread.turns.map(({ id, status, items }) => ({ id, status, items })),
    modelInput: rebuildModelInput(records, { inherited }).map((item) => ({
      type: item.type,
      ...("role" in item ? { role: item.role } : {}),
      ...("name" in item && typeof item.name === "string" ? { name: item.name } : {}),
    })),
    losses,
    missingHistory: missing,
  };
}
