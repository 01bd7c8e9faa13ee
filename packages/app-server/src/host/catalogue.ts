/** What clients ask about beside threads, from the configuration. */
import { type ModelInfo, modelInfo } from "@turnkit/core";
import { type Config, readModelCatalogue } from "@turnkit/core/config";
import type { AppResult, ExperimentalFeature, HooksListEntry, Model, SkillsListEntry } from "@turnkit/protocol/app";
import type { Catalogue } from "../ports.js";
import { listPlugins } from "./plugins.js";
import { hooksFor, skillsFor } from "./surroundings.js";
import { hooksListEntry, skillsListEntry } from "./surroundings-lists.js";

/** Offered beside the configured model. */
const knownModels = ["gpt-5.4", "gpt-5"];
const efforts = [
  { reasoningEffort: "low", description: "Quick answers with little reasoning" },
  { reasoningEffort: "medium", description: "A balance for everyday work" },
  { reasoningEffort: "high", description: "More reasoning for hard problems" },
];
/** Switches of this program, in the reference's order; other names in `[features]` change nothing. */
const knownFeatures = [
  { name: "exec_permission_approvals", stage: "underDevelopment" },
  { name: "request_permissions_tool", stage: "underDevelopment" },
  {
    name: "network_proxy",
    stage: "beta",
    displayName: "Network proxy",
    description: "Commands reach the network through a proxy that asks before it lets a new host be reached.",
    announcement: "Commands can reach the network host by host: see network_proxy.",
  },
  { name: "default_mode_request_user_input", stage: "underDevelopment" },
] as const;

export const unfinishedFeatures = knownFeatures
  .filter(({ stage }) => stage === "underDevelopment")
  .map(({ name }) => name);

export class ConfigCatalogue implements Catalogue {
  readonly #load: () => Promise<Config>;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(load: () => Promise<Config>, env: Readonly<Record<string, string | undefined>>) {
    this.#load = load;
    this.#env = env;
  }

  async models(): Promise<Model[]> {
    const { model, modelCatalogue } = await this.#load();
    if (modelCatalogue !== undefined) {
      const listed = await readModelCatalogue(modelCatalogue);
      const isDefault = listed.find(({ slug, hidden }) => (model === undefined ? !hidden : slug === model));
      const first = listed.filter((each) => each === isDefault);
      return [...first, ...listed.filter((each) => each !== isDefault)].map((each) => ({
        ...toModel(each.slug, each, each === isDefault),
        displayName: each.displayName,
        description: each.description,
        hidden: each.hidden,
        supportedReasoningEfforts: each.efforts.map(({ effort, description }) => ({
          reasoningEffort: effort,
          description,
        })),
      }));
    }
    const names = [...new Set([...(model === undefined ? [] : [model]), ...knownModels])];
    return names.map((name, index) => toModel(name, modelInfo(name), index === 0));
  }

  async features(): Promise<ExperimentalFeature[]> {
    const { features } = await this.#load();
    return knownFeatures.map((feature) => ({
      displayName: null,
      description: null,
      announcement: null,
      ...feature,
      enabled: features[feature.name] ?? false,
      defaultEnabled: false,
    }));
  }

  async account(): Promise<AppResult<"account/read">> {
    const { providerId } = await this.#load();
    const openai = providerId === "openai";
    return { account: openai && this.#env.OPENAI_API_KEY ? { type: "apiKey" } : null, requiresOpenaiAuth: openai };
  }

  async config(): Promise<Record<string, unknown>> {
    return { ...(await this.#load()).raw };
  }

  async skills(cwd: string): Promise<SkillsListEntry> {
    return skillsListEntry(cwd, await skillsFor(await this.#load(), cwd, this.#env.HOME));
  }

  async plugins(cwds: readonly string[]): Promise<AppResult<"plugin/list">> {
    return listPlugins(await this.#load(), cwds, this.#env.HOME);
  }

  async hooks(cwd: string): Promise<HooksListEntry> {
    return hooksListEntry(cwd, await hooksFor(await this.#load(), cwd));
  }
}

function toModel(name: string, info: ModelInfo, isDefault: boolean): Model {
  return {
    id: name,
    model: name,
    upgrade: null,
    upgradeInfo: null,
    availabilityNux: null,
    displayName: name,
    description: "",
    modelSpecialty: null,
    hidden: false,
    supportedReasoningEfforts: info.takesReasoning ? efforts : [],
    defaultReasoningEffort: info.defaultEffort ?? "medium",
    inputModalities: [...info.modalities],
    supportsPersonality: false,
    multiAgentVersion: null,
    additionalSpeedTiers: [],
    serviceTiers: [],
    defaultServiceTier: null,
    isDefault,
  };
}
