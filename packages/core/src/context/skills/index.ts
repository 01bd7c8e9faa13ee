/** Instructions in folders that the model is told about and a person can point at. */
export { type FoundSkills, findSkills, type SkillRootsOptions, skillRoots } from "./find-skills.js";
export { mentionedPlugins, requiredServers, selectSkills } from "./select-skills.js";
export type { Skill, SkillProblem } from "./skill.js";
export { catalogueBudget, SHORTENED_WARNING, skillCatalogue } from "./skill-catalogue.js";
export { SKILL_KIND, skillMessage } from "./skill-message.js";
