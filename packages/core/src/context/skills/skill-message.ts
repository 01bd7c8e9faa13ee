/** A skill's instructions as the message that follows the input that asked for it. */
import type { ResponseItem } from "@turnkit/protocol";
import { userMessage } from "../fragments.js";
import { readRegularText } from "../regular-file.js";
import { MAX_SKILL_BYTES, type Skill } from "./skill.js";

export const SKILL_KIND = "skills.selected_skill_instructions";

export type SkillMessage =
  | { readonly type: "message"; readonly item: ResponseItem }
  | { readonly type: "warning"; readonly message: string };

export async function skillMessage(skill: Skill): Promise<SkillMessage> {
  try {
    const contents = await readRegularText(skill.path, MAX_SKILL_BYTES);
    return {
      type: "message",
      item: userMessage(`<skill>\n<name>${skill.name}</name>\n<path>${skill.path}</path>\n${contents}\n</skill>`),
    };
  } catch (error) {
    return {
      type: "warning",
      message: `Failed to load skill ${skill.name} at ${skill.path}: ${(error as Error).message}`,
    };
  }
}
