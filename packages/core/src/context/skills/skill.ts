/** A skill: a folder with instructions in `SKILL.md` that the model reads when the work calls for them. */

export type SkillScope = "user" | "repo" | "system" | "admin";

export interface SkillDependency {
  /** `mcp` names an MCP server. */
  readonly type: string;
  readonly value: string;
  readonly description: string | undefined;
  /** How an MCP server is reached: `stdio` or `streamable_http`. */
  readonly transport: string | undefined;
  readonly command: string | undefined;
  readonly url: string | undefined;
}

export interface SkillPlugin {
  /** `name@marketplace` */
  readonly id: string;
  readonly name: string;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly shortDescription: string | undefined;
  /** Absolute path of its `SKILL.md`, links resolved. */
  readonly path: string;
  /** The path under which it was found. */
  readonly foundAt: string;
  readonly scope: SkillScope;
  readonly enabled: boolean;
  /** undefined: it does not come with a plugin. Otherwise its name begins with the plugin's. */
  readonly plugin: SkillPlugin | undefined;
  readonly dependencies: readonly SkillDependency[];
}

export interface SkillProblem {
  readonly path: string;
  readonly message: string;
}

export const SKILL_FILE = "SKILL.md";
/** A larger file would fill a model's window by itself. */
export const MAX_SKILL_BYTES = 1024 * 1024;
