/** How much of a session file can be read: what `turnkit rollout validate` prints. */
import { type ReadRolloutOptions, readRollout } from "../read-rollout.js";

export interface RolloutValidation {
  /** Every line was read, or is one this version leaves alone. */
  readonly ok: boolean;
  readonly lines: number;
  readonly known: number;
  /** Lines by what they call themselves. */
  readonly opaque: Readonly<Record<string, number>>;
  /** Upgrades by rule. */
  readonly upgraded: Readonly<Record<string, number>>;
  readonly losses: readonly { readonly line: number; readonly reason: string }[];
}

/** Streams the file; keeps counts and losses only. */
export async function validateRollout(
  source: AsyncIterable<Uint8Array>,
  options: ReadRolloutOptions = {},
): Promise<RolloutValidation> {
  const opaque: Record<string, number> = {};
  const upgraded: Record<string, number> = {};
  const losses: { line: number; reason: string }[] = [];
  let known = 0;
  let lines = 0;
  let head = false;
  for await (const record of readRollout(source, options)) {
    lines++;
    if (record.kind === "loss") losses.push({ line: record.line, reason: record.reason });
    else if (record.kind === "opaque") opaque[record.type] = (opaque[record.type] ?? 0) + 1;
    else {
      known++;
      head ||= record.value.type === "session_meta";
      for (const rule of record.upgraded) upgraded[rule] = (upgraded[rule] ?? 0) + 1;
    }
  }
  if (!head) losses.push({ line: 0, reason: "the file has no readable head" });
  return { ok: losses.length === 0, lines, known, opaque, upgraded, losses };
}
