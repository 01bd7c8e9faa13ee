/**
 * What is known about models by name: how much they read, which parameters they take.
 * An unknown name gets careful defaults, so that any server with the same API can be used.
 */

export interface ModelInfo {
  /** Tokens that count against the model's window; null: not known. */
  readonly contextWindow: number;
  readonly takesReasoning: boolean;
  readonly defaultEffort: string | undefined;
  readonly defaultVerbosity: string | undefined;
  readonly modalities: readonly ("text" | "image" | "audio")[];
  /** Limit of one tool output, in tokens. */
  readonly outputTokenLimit: number;
  /** Written into rollouts beside the model; identifies how histories of this model are compacted. */
  readonly compactionHash: string | undefined;
  readonly parallelToolCalls: boolean;
}

const WINDOW = 272_000;
/** Of the whole window; the rest is kept for the answer. */
export const EFFECTIVE_SHARE = 0.95;
const EFFECTIVE_WINDOW = WINDOW * EFFECTIVE_SHARE;

const REASONING_MODEL: ModelInfo = {
  contextWindow: EFFECTIVE_WINDOW,
  takesReasoning: true,
  defaultEffort: "medium",
  defaultVerbosity: "low",
  modalities: ["text", "image"],
  outputTokenLimit: 10_000,
  compactionHash: undefined,
  parallelToolCalls: true,
};

const UNKNOWN_MODEL: ModelInfo = {
  ...REASONING_MODEL,
  takesReasoning: false,
  defaultEffort: undefined,
  defaultVerbosity: undefined,
};

const KNOWN: readonly { readonly prefix: string; readonly info: ModelInfo }[] = [
  { prefix: "gpt-5", info: { ...REASONING_MODEL, compactionHash: "2911" } },
  { prefix: "o3", info: { ...REASONING_MODEL, defaultVerbosity: undefined } },
  { prefix: "o4", info: { ...REASONING_MODEL, defaultVerbosity: undefined } },
  { prefix: "codex", info: REASONING_MODEL },
  { prefix: "scripted", info: UNKNOWN_MODEL },
];

export function isKnownModel(model: string): boolean {
  return KNOWN.some(({ prefix }) => model.startsWith(prefix));
}

export function modelInfo(model: string): ModelInfo {
  return KNOWN.find(({ prefix }) => model.startsWith(prefix))?.info ?? UNKNOWN_MODEL;
}
