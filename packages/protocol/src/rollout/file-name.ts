/** The identities in a session file's name. The name, not the head inside, tells files of one thread apart. */

export interface RolloutFileName {
  readonly threadId: string;
  /** Only of a reverted thread: which of its files this is. */
  readonly rolloutId?: string;
  /** Local time without a zone, as in the name: `2026-11-30T18-51-31`. */
  readonly startedAt: string;
  readonly compressed: boolean;
}

const uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const pattern = new RegExp(
  `^rollout-(\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}-\\d{2})-(${uuid})(?:_(${uuid}))?\\.jsonl(\\.zst)?$`,
);

/** Reads a name (or a path ending in one); undefined when it is not a session file's. */
export function parseRolloutFileName(path: string): RolloutFileName | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, startedAt, threadId, rolloutId, zst] = match as unknown as [string, string, string, string?, string?];
  return { threadId, startedAt, compressed: zst !== undefined, ...(rolloutId === undefined ? {} : { rolloutId }) };
}
