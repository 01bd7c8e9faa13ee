/** Reads one skill: the frontmatter of its instructions and what is said about it beside them. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { readRegularText } from "../regular-file.js";
import {
  MAX_SKILL_BYTES,
  SKILL_FILE,
  type Skill,
  type SkillDependency,
  type SkillPlugin,
  type SkillScope,
} from "./skill.js";

const MAX_NAME = 64;

/** The file is no skill. `message` says why. */
export class SkillError extends Error {
  override readonly name = "SkillError";
}

type Table = { readonly [key: string]: unknown };

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws {SkillError} */
export async function readSkill(file: string, scope: SkillScope, plugin?: SkillPlugin): Promise<Skill> {
  let text: string;
  try {
    text = await readRegularText(file, MAX_SKILL_BYTES);
  } catch (error) {
    throw new SkillError((error as Error).message, { cause: error });
  }
  const header = await frontmatter(text);
  const name = textOf(header.name) ?? path.basename(path.dirname(file));
  if ([...name].length > MAX_NAME) throw new SkillError(`name must not be longer than ${MAX_NAME} characters`);
  const description = textOf(header.description);
  if (description === undefined) throw new SkillError("description is missing");
  const metadata = isTable(header.metadata) ? header.metadata : {};
  return {
    name: plugin === undefined ? name : `${plugin.name}:${name}`,
    description,
    shortDescription: textOf(metadata["short-description"]),
    path: await realpath(file),
    foundAt: file,
    scope,
    enabled: true,
    plugin,
    dependencies: await readDependencies(path.dirname(file)),
  };
}

/** One line, trimmed; nothing when that leaves nothing. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).replaceAll(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

async function readYaml(text: string): Promise<unknown> {
  const { parseYaml } = await import("./parse-yaml.js");
  return parseYaml(text);
}

async function frontmatter(text: string): Promise<Table> {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) throw new SkillError(`${SKILL_FILE} must begin with frontmatter between two lines of ---`);
  let header: unknown;
  try {
    header = await readYaml(found[1]!);
  } catch (error) {
    const [message] = (error as Error).message.split("\n");
    throw new SkillError(`frontmatter is not YAML: ${message}`, { cause: error });
  }
  if (!isTable(header)) throw new SkillError("frontmatter must be a mapping");
  return header;
}

/** From `agents/openai.yaml`; a skill without it, or with one that cannot be read, depends on nothing. */
async function readDependencies(folder: string): Promise<readonly SkillDependency[]> {
  let value: unknown;
  try {
    value = await readYaml(await readRegularText(path.join(folder, "agents", "openai.yaml"), MAX_SKILL_BYTES));
  } catch {
    return [];
  }
  const dependencies = isTable(value) && isTable(value.dependencies) ? value.dependencies.tools : undefined;
  if (!Array.isArray(dependencies)) return [];
  return dependencies.flatMap((entry: unknown) => {
    if (!isTable(entry)) return [];
    const type = textOf(entry.type);
    const named = textOf(entry.value);
    if (type === undefined || named === undefined) return [];
    return [
      {
        type,
        value: named,
        description: textOf(entry.description),
        transport: textOf(entry.transport),
        command: textOf(entry.command),
        url: textOf(entry.url),
      },
    ];
  });
}
