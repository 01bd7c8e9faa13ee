/**
 * MCP servers that skills depend on. One that is not configured is offered to the person, once in a session; agreed to,
 * it is kept in the configuration and started. Owns what was already asked.
 */
import type { McpServerConfig } from "../config/mcp-config.js";
import type { Skill, SkillDependency } from "../context/skills/skill.js";
import type { ElicitationRequest } from "./elicitation.js";

export interface MissingServer {
  readonly name: string;
  readonly skill: string;
  readonly config: McpServerConfig;
  readonly dependency: SkillDependency;
}

export class SkillServers {
  readonly #asked = new Set<string>();

  /** Names of the servers that these skills need. */
  needed(skills: readonly Skill[]): readonly string[] {
    return [...new Set(skills.flatMap(({ dependencies }) => dependencies.filter(isServer).map(({ value }) => value)))];
  }

  /** Those that nobody has configured and nobody was asked about. They count as asked about from now on. */
  takeMissing(skills: readonly Skill[], has: (name: string) => boolean): readonly MissingServer[] {
    return skills.flatMap(({ name: skill, dependencies }) =>
      dependencies.filter(isServer).flatMap((dependency): MissingServer[] => {
        const { value: name } = dependency;
        if (has(name) || this.#asked.has(name)) return [];
        const config = configOf(dependency);
        if (!config) return [];
        this.#asked.add(name);
        return [{ name, skill, config, dependency }];
      }),
    );
  }
}

function isServer({ type }: SkillDependency): boolean {
  return type === "mcp";
}

/** undefined: the skill does not say how the server is reached. */
function configOf({ transport, command, url }: SkillDependency): McpServerConfig | undefined {
  const common = {
    enabled: true,
    required: false,
    startupTimeoutMs: 30_000,
    toolTimeoutMs: 120_000,
    enabledTools: undefined,
    disabledTools: [],
    approvalMode: "auto",
    toolApprovalModes: {},
    parallelToolCalls: false,
  } as const;
  if (transport === "stdio" || (transport === undefined && command !== undefined)) {
    const [program, ...args] = wordsOf(command ?? "");
    if (program === undefined) return undefined;
    return { ...common, transport: { type: "stdio", command: program, args, env: {}, envVars: [], cwd: undefined } };
  }
  if (url === undefined || !/^https?:\/\//i.test(url)) return undefined;
  const http = {
    type: "http",
    url,
    bearerTokenVariable: undefined,
    headers: {},
    variableHeaders: {},
    scopes: undefined,
    oauthResource: undefined,
    oauthClientId: undefined,
  } as const;
  return { ...common, transport: http };
}

/** A command in words; quotes keep words together. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replaceAll(/\\(.)/g, "$1") ?? single ?? plain ?? "",
  );
}

/** The question to the person. An answer without content is enough. */
export function installQuestion({ name, skill, dependency }: MissingServer): ElicitationRequest {
  const how = dependency.url ?? dependency.command ?? "";
  const what = dependency.description === undefined ? "" : ` (${dependency.description})`;
  return {
    mode: "form",
    message: `The skill "${skill}" needs the MCP server "${name}"${what}. Add it to the configuration and start it? ${how}`,
    requestedSchema: { type: "object", properties: {} },
    meta: { turnkit_kind: "skill_mcp_dependency", skill, server: name },
  };
}
