/**
 * What the model has been told about its surroundings. At each turn only what has changed since is told again.
 * Owns the comparison and the lines that keep the state in the session file.
 */
import type { ResponseItem, ThreadSettings } from "@turnkit/protocol";
import type { RolloutItem } from "../rollout/rollout-item.js";
import { CLEARED_COLLABORATION_MODE, collaborationModeText } from "./collaboration-mode.js";
import { type EnvironmentFacts, environmentText } from "./environment-context.js";
import { permissionsText } from "./permissions-text.js";

export interface Surroundings {
  readonly settings: ThreadSettings;
  readonly environment: EnvironmentFacts;
  readonly developerInstructions: string | undefined;
  readonly projectInstructions: { readonly directory: string; readonly text: string } | undefined;
  /** The list of skills; undefined: there are none. */
  readonly skills: string | undefined;
  /** Commands that still run; told only where everything is told, to a model that may not know of them. */
  readonly terminals: string | undefined;
}

export interface ContextUpdate {
  readonly messages: readonly { readonly item: ResponseItem; readonly kinds: readonly string[] }[];
  readonly lines: readonly RolloutItem[];
  /** The list of skills is part of the messages. */
  readonly tellsSkills: boolean;
}

/** Which surroundings the model is told of; the others it is not, and the session file does not say that it was. */
export interface ToldSections {
  readonly environment: boolean;
  readonly permissions: boolean;
  readonly collaborationMode: boolean;
}

const EVERYTHING: ToldSections = { environment: true, permissions: true, collaborationMode: true };

/** Sections as the session file keeps them. */
type Sections = Readonly<Record<string, unknown>>;

interface Part {
  readonly text: string;
  readonly kind: string;
}

export class WorldState {
  #known: Sections | null;
  readonly #told: ToldSections;

  /** @param known null: the model has been told nothing yet */
  constructor(known: Sections | null = null, told: Partial<ToldSections> = {}) {
    this.#known = known;
    this.#told = { ...EVERYTHING, ...told };
  }

  get known(): Sections | null {
    return this.#known;
  }

  /** After the history was replaced everything is told again. */
  forget(): void {
    this.#known = null;
  }

  update(surroundings: Surroundings): ContextUpdate {
    const sections = sectionsOf(surroundings, this.#told);
    const known = this.#known;
    this.#known = sections;
    if (known === null) return full(surroundings, sections, this.#told);
    const changed = Object.fromEntries(
      Object.entries(sections).filter(([name, value]) => JSON.stringify(known[name]) !== JSON.stringify(value)),
    );
    const names = Object.keys(changed);
    if (names.length === 0) return { messages: [], lines: [], tellsSkills: false };
    const developer: Part[] = [];
    if ("model" in changed && "model" in known) developer.push(modelPart(surroundings.settings.model));
    const tellsSkills = "host_skills" in changed && surroundings.skills !== undefined;
    if (tellsSkills) developer.push(...skillsPart(surroundings.skills));
    if ("permissions" in changed) developer.push(permissionsPart(surroundings.settings));
    if ("collaboration_mode" in changed)
      developer.push(
        modePart(surroundings.settings) ?? {
          text: CLEARED_COLLABORATION_MODE,
          kind: "collaboration_mode.instructions",
        },
      );
    const user: Part[] = [];
    if ("agents_md" in changed && surroundings.projectInstructions)
      user.push(projectPart(surroundings.projectInstructions));
    if ("environments" in changed) user.push(environmentPart(surroundings.environment));
    return {
      messages: [...message("developer", developer), ...message("user", user)],
      lines: [{ type: "world_state", payload: { full: false, state: changed } }],
      tellsSkills,
    };
  }
}

function sectionsOf(
  { settings, environment, projectInstructions, skills }: Surroundings,
  told: ToldSections,
): Sections {
  const instructions = settings.collaboration_mode.settings.developer_instructions ?? null;
  return {
    ...(projectInstructions ? { agents_md: projectInstructions } : {}),
    ...(told.collaborationMode && {
      collaboration_mode: { mode: settings.collaboration_mode.mode, instructions },
    }),
    ...(told.environment && {
      environments: {
        environments: { local: { cwd: environment.cwd, status: "available", shell: environment.shell } },
        current_date: environment.currentDate,
        timezone: environment.timezone,
      },
    }),
    ...(skills === undefined ? {} : { host_skills: { body: skills } }),
    model: settings.model,
    ...(told.permissions && {
      permissions: { instructions: permissionsText(settings.sandbox_policy, settings.approval_policy) },
    }),
  };
}

const modelPart = (model: string): Part => ({
  text: `<model_switch>\nFrom here on the conversation is continued by another model, ${model}. What came before was said by the one before it; the instructions in force now are the current ones.\n</model_switch>`,
  kind: "model.switch",
});

function skillsPart(skills: string | undefined): readonly Part[] {
  return skills === undefined ? [] : [{ text: skills, kind: "host_skills.instructions" }];
}

const permissionsPart = (settings: ThreadSettings): Part => ({
  text: permissionsText(settings.sandbox_policy, settings.approval_policy),
  kind: "permissions.instructions",
});

function modePart(settings: ThreadSettings): Part | undefined {
  const text = collaborationModeText(settings.collaboration_mode);
  return text === undefined ? undefined : { text, kind: "collaboration_mode.instructions" };
}

const environmentPart = (environment: EnvironmentFacts): Part => ({
  text: environmentText(environment),
  kind: "environments.environment_context",
});

const projectPart = (project: NonNullable<Surroundings["projectInstructions"]>): Part => ({
  text: `# AGENTS.md instructions for ${project.directory}\n\n<INSTRUCTIONS>\n${project.text}\n</INSTRUCTIONS>`,
  kind: "agents_md.instructions",
});

function full(surroundings: Surroundings, sections: Sections, told: ToldSections): ContextUpdate {
  const { settings, developerInstructions, projectInstructions, environment, skills, terminals } = surroundings;
  const mode = told.collaborationMode ? modePart(settings) : undefined;
  const developer: Part[] = [
    ...skillsPart(skills),
    ...(told.permissions ? [permissionsPart(settings)] : []),
    ...(developerInstructions === undefined
      ? []
      : [{ text: developerInstructions, kind: "generic.developer_instructions" }]),
    ...(mode ? [mode] : []),
    ...(terminals === undefined ? [] : [{ text: terminals, kind: "generic.live_terminals" }]),
  ];
  const user: Part[] = [
    ...(projectInstructions ? [projectPart(projectInstructions)] : []),
    ...(told.environment ? [environmentPart(environment)] : []),
  ];
  return {
    messages: [...message("developer", developer), ...message("user", user)],
    lines: [{ type: "world_state", payload: { full: true, state: sections } }],
    tellsSkills: skills !== undefined,
  };
}

function message(role: "developer" | "user", parts: readonly Part[]): ContextUpdate["messages"] {
  if (parts.length === 0) return [];
  return [
    {
      item: { type: "message", role, content: parts.map(({ text }) => ({ type: "input_text", text })) },
      kinds: parts.map(({ kind }) => kind),
    },
  ];
}
