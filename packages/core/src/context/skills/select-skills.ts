/**
 * Which skills, MCP servers and plugins a person's input asks for. Pure. What the session does not have adds nothing.
 */
import type { UserInput } from "@turnkit/protocol";
import { schemeTarget, type TextReferences, textReferences } from "./mentions.js";
import type { Skill } from "./skill.js";

function texts(input: readonly UserInput[]): readonly TextReferences[] {
  return input.flatMap((part) => (part.type === "text" ? [textReferences(part.text)] : []));
}

/** Chosen ones first, then those the text names, each once, in the order in which the session found them. */
export function selectSkills(input: readonly UserInput[], skills: readonly Skill[]): readonly Skill[] {
  const enabled = skills.filter((skill) => skill.enabled);
  const chosen = new Set<Skill>();
  const takenNames = new Set<string>();
  for (const part of input) {
    if (part.type !== "skill") continue;
    // A name that was chosen is never looked up in the text as well.
    takenNames.add(part.name);
    const skill = enabled.find((candidate) => isAt(candidate, part.path));
    if (skill) chosen.add(skill);
  }
  const references = texts(input);
  const paths = references.flatMap(({ links }) =>
    links.flatMap(({ path, kind }) => (kind === "skill" || kind === "file" ? [path.replace(/^skill:\/\//, "")] : [])),
  );
  for (const skill of enabled) if (paths.some((path) => isAt(skill, path))) chosen.add(skill);
  const names = new Set(references.flatMap((reference) => reference.names));
  for (const skill of enabled) {
    if (!names.has(skill.name) || takenNames.has(skill.name)) continue;
    if (enabled.filter(({ name }) => name === skill.name).length === 1) chosen.add(skill);
  }
  return [...chosen];
}

function isAt(skill: Skill, path: string): boolean {
  const plain = path.replaceAll("\\", "/");
  return plain === skill.path.replaceAll("\\", "/") || plain === skill.foundAt.replaceAll("\\", "/");
}

/** Names of MCP servers that have to run before the model is asked, each once. */
export function requiredServers(input: readonly UserInput[]): readonly string[] {
  return targets(input, "mcp");
}

/** Plugins the input refers to, as `name@marketplace` or however they were written. */
export function mentionedPlugins(input: readonly UserInput[]): readonly string[] {
  return targets(input, "plugin");
}

function targets(input: readonly UserInput[], scheme: "mcp" | "plugin"): readonly string[] {
  const paths = input.flatMap((part) =>
    part.type === "mention"
      ? [part.path]
      : part.type === "text"
        ? textReferences(part.text).links.map(({ path }) => path)
        : [],
  );
  return [...new Set(paths.flatMap((path) => schemeTarget(path, scheme) ?? []))];
}
