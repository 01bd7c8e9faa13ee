/**
 * What is known about models by name: how much they read, which parameters they take.
 * An unknown name gets careful defaults, so that any server with the same API can be used.
 */

import type { ConfigModel } from "@turnkit/protocol";

export interface ModelInfo {
  /** Tokens that count against the model's window; null: not known. */
  readonly contextWindow: number;
  /** What `contextWindow` is of the whole window; the rest is kept for the answer. */
  readonly effectiveShare: number;
  /** Tokens from which on a history is compacted; undefined: the model has no limit of its own. */
  readonly compactionLimit: number | undefined;
  readonly takesReasoning: boolean;
  readonly defaultEffort: string | undefined;
  /** What a thinking model is asked to tell of its thoughts; undefined: nothing. */
  readonly defaultSummary: string | undefined;
  readonly takesVerbosity: boolean;
  readonly defaultVerbosity: string | undefined;
  readonly modalities: readonly ("text" | "image" | "audio")[];
  /** Limit of one tool output, in tokens. */
  readonly outputTokenLimit: number;
  /** Written into rollouts beside the model; identifies how histories of this model are compacted. */
  readonly compactionHash: string | undefined;
  readonly parallelToolCalls: boolean;
}

const WINDOW = 272_000;
const EFFECTIVE_SHARE = 0.95;
const EFFECTIVE_WINDOW = WINDOW * EFFECTIVE_SHARE;

const REASONING_MODEL: ModelInfo = {
  contextWindow: EFFECTIVE_WINDOW,
  effectiveShare: EFFECTIVE_SHARE,
  compactionLimit: undefined,
  takesReasoning: true,
  defaultEffort: "medium",
  defaultSummary: undefined,
  takesVerbosity: true,
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
  { prefix: "gpt-5.6-sol", info: { ...REASONING_MODEL, defaultEffort: "low", compactionHash: "2911" } },
  { prefix: "gpt-5.4-mini", info: { ...REASONING_MODEL, defaultVerbosity: "medium", compactionHash: "2911" } },
  { prefix: "gpt-5.2", info: { ...REASONING_MODEL, defaultSummary: "auto", compactionHash: "2911" } },
  { prefix: "gpt-5", info: { ...REASONING_MODEL, compactionHash: "2911" } },
  { prefix: "o3", info: { ...REASONING_MODEL, defaultVerbosity: undefined } },
  { prefix: "o4", info: { ...REASONING_MODEL, defaultVerbosity: undefined } },
  { prefix: "codex", info: REASONING_MODEL },
  { prefix: "scripted", info: UNKNOWN_MODEL },
];

function builtIn(model: string): ModelInfo | undefined {
  return KNOWN.find(({ prefix }) => model.startsWith(prefix))?.info;
}

/** What is known of a model by its name alone, without a catalogue of the person's. */
export function modelInfo(model: string): ModelInfo {
  return builtIn(model) ?? UNKNOWN_MODEL;
}

/** A model as a catalogue lists it. */
export interface ListedModel extends ModelInfo {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly efforts: readonly { readonly effort: string; readonly description: string }[];
  readonly hidden: boolean;
}

/** What the person says of their model, over what is known of it. */
export interface ModelOverrides {
  /** How much it is to write, where it takes the parameter. */
  readonly verbosity?: string | undefined;
  /** Limit of one tool output, in tokens. */
  readonly outputTokenLimit?: number | undefined;
  /** It is a thinking model, known or not. */
  readonly takesReasoning?: true | undefined;
}

/** The models of a session: those of a catalogue, and only those, or what is known here. */
export class ModelCatalogue {
  readonly #listed: ReadonlyMap<string, ListedModel> | undefined;
  readonly #overrides: ModelOverrides;

  /** @param listed undefined: there is no catalogue */
  constructor(listed?: readonly ListedModel[], overrides: ModelOverrides = {}) {
    this.#listed = listed && new Map(listed.map((model) => [model.slug, model]));
    this.#overrides = overrides;
  }

  isKnown(model: string): boolean {
    return this.#find(model) !== undefined;
  }

  info(model: string): ModelInfo {
    const info = this.#find(model) ?? UNKNOWN_MODEL;
    const { verbosity, outputTokenLimit, takesReasoning } = this.#overrides;
    return {
      ...info,
      ...(verbosity !== undefined && info.takesVerbosity && { defaultVerbosity: verbosity }),
      ...(outputTokenLimit !== undefined && { outputTokenLimit }),
      ...(takesReasoning && !info.takesReasoning && { takesReasoning, defaultSummary: "auto" }),
    };
  }

  #find(model: string): ModelInfo | undefined {
    return this.#listed ? this.#listed.get(model) : builtIn(model);
  }
}

/** An entry of the reference's form, with what it leaves out as for an unknown model. */
export function listedModel(entry: ConfigModel): ListedModel {
  const efforts = entry.supported_reasoning_levels ?? [];
  const window = entry.context_window ?? WINDOW;
  const percent = entry.effective_context_window_percent ?? EFFECTIVE_SHARE * 100;
  const policy = entry.truncation_policy;
  return {
    slug: entry.slug,
    displayName: entry.display_name ?? entry.slug,
    description: entry.description ?? "",
    efforts: efforts.map(({ effort, description }) => ({ effort, description: description ?? "" })),
    hidden: entry.visibility != null && entry.visibility !== "list",
    contextWindow: Math.floor((window * percent) / 100),
    effectiveShare: percent / 100,
    compactionLimit: entry.auto_compact_token_limit ?? undefined,
    takesReasoning: efforts.length > 0,
    defaultEffort: entry.default_reasoning_level ?? undefined,
    defaultSummary: entry.default_reasoning_summary ?? undefined,
    takesVerbosity: entry.support_verbosity !== false,
    defaultVerbosity: entry.support_verbosity === false ? undefined : (entry.default_verbosity ?? undefined),
    modalities: entry.input_modalities ?? ["text", "image"],
    outputTokenLimit:
      policy == null
        ? UNKNOWN_MODEL.outputTokenLimit
        : policy.mode === "tokens"
          ? policy.limit
          : Math.ceil(policy.limit / 4),
    compactionHash: entry.comp_hash ?? undefined,
    parallelToolCalls: entry.supports_parallel_tool_calls ?? true,
  };
}
