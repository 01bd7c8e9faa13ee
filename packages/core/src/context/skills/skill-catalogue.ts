/**
 * The list of skills as the model reads it, within a budget: every skill is named, descriptions are shortened alike
 * when there is not enough room. Pure.
 */
import type { Skill } from "./skill.js";

export interface SkillCatalogue {
  readonly text: string;
  /** Descriptions lost more than half of what they say; the person is told. */
  readonly shortened: boolean;
}

const WINDOW_SHARE = 0.02;
const DEFAULT_BUDGET = 8_000;
const MAX_DESCRIPTION = 1_024;
const CHARACTERS_PER_TOKEN = 4;

export const SHORTENED_WARNING =
  "Skill descriptions were shortened to fit the skills context budget. The model still sees every skill, with less about each.";

const INTRODUCTION = `## Skills
Each of these is a folder with instructions for one kind of work. Read the file of a skill before doing work that its description covers, or when the user names it; leave the others unread.
### Available skills`;

const USAGE = `### How to use skills
- The instructions in a skill's file come first; paths in them are relative to its folder.
- When the user names a skill with \`$\`, its instructions are already part of the conversation.
- Use several skills together when the work needs them, and say in one line which you use.`;

/** Characters for the list. @param contextWindow in tokens; undefined: not known */
export function catalogueBudget(contextWindow: number | undefined): number {
  return contextWindow === undefined ? DEFAULT_BUDGET : Math.floor(contextWindow * WINDOW_SHARE * CHARACTERS_PER_TOKEN);
}

/** undefined: there is nothing to list. */
export function skillCatalogue(skills: readonly Skill[], budget: number): SkillCatalogue | undefined {
  const listed = skills.filter((skill) => skill.enabled);
  if (listed.length === 0) return undefined;
  const full = listed.map(({ description }) => Math.min([...description].length, MAX_DESCRIPTION));
  const frame = listed.map((skill) => line(skill, "").length + 1).reduce((sum, length) => sum + length, 0);
  const cap = descriptionCap(full, Math.max(0, budget - frame));
  const lines = listed.map((skill) => line(skill, cut(skill.description, Math.min(cap, MAX_DESCRIPTION))));
  const text = `<skills_instructions>\n${INTRODUCTION}\n${lines.join("\n")}\n${USAGE}\n</skills_instructions>`;
  return { text, shortened: full.some((length) => length > cap) };
}

function line({ name, path }: Skill, description: string): string {
  return `- ${name}: ${description} (file: ${path})`;
}

/** The longest length at which all descriptions together fit: short ones stay whole. */
function descriptionCap(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return MAX_DESCRIPTION;
}

function cut(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  return length < 1 ? "" : `${characters.slice(0, length - 1).join("")}…`;
}
