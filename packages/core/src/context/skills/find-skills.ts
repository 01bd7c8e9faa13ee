/** Finds the skills of a session: which folders are looked through, how deep, and which of two copies counts. */
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { InstalledPlugin } from "../plugins/installed-plugins.js";
import { readSkill, SkillError } from "./read-skill.js";
import { SKILL_FILE, type Skill, type SkillPlugin, type SkillProblem, type SkillScope } from "./skill.js";

export interface SkillRoot {
  readonly folder: string;
  readonly scope: SkillScope;
  readonly plugin?: SkillPlugin;
}

export interface SkillRootsOptions {
  /** Folder of the person's configuration. */
  readonly home: string;
  /** The person's home folder; undefined: not known. */
  readonly userHome: string | undefined;
  readonly cwd: string;
  readonly projectRoot: string;
  /** Installed and switched on. */
  readonly plugins: readonly InstalledPlugin[];
}

export interface FoundSkills {
  /** By precedence: the first of a name is the one that is meant when it is the only one. */
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

const MAX_DEPTH = 6;
const MAX_FOLDERS = 2_000;
const MAX_ENTRIES = 20_000;
/** Project folders that hold configuration of this program and of others with the same layout. */
const PROJECT_FOLDERS = [".turnkit", ".codex"];

/** Highest precedence first. */
export function skillRoots(options: SkillRootsOptions): readonly SkillRoot[] {
  const { home, userHome, cwd, projectRoot, plugins } = options;
  const shared = foldersBetween(projectRoot, cwd).map((folder) => path.join(folder, ".agents", "skills"));
  return [
    ...PROJECT_FOLDERS.map((folder) => ({ folder: path.join(projectRoot, folder, "skills"), scope: "repo" as const })),
    { folder: path.join(home, "skills"), scope: "user" },
    ...(userHome === undefined ? [] : [{ folder: path.join(userHome, ".agents", "skills"), scope: "user" as const }]),
    ...plugins.map(({ id, name, manifest }) => ({
      folder: manifest.skills,
      scope: "user" as const,
      plugin: { id, name },
    })),
    ...shared.map((folder) => ({ folder, scope: "repo" as const })),
  ];
}

function foldersBetween(top: string, bottom: string): readonly string[] {
  const folders = [path.resolve(bottom)];
  while (folders[0] !== path.resolve(top) && path.dirname(folders[0]!) !== folders[0])
    folders.unshift(path.dirname(folders[0]!));
  return folders;
}

/** Never fails: folders that cannot be read hold no skills. */
export async function findSkills(roots: readonly SkillRoot[]): Promise<FoundSkills> {
  const skills: Skill[] = [];
  const problems: SkillProblem[] = [];
  const seen = new Set<string>();
  for (const { folder, scope, plugin } of roots) {
    for (const file of await skillFiles(folder)) {
      try {
        const skill = await readSkill(file, scope, plugin);
        if (seen.has(skill.path)) continue;
        seen.add(skill.path);
        skills.push(skill);
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        problems.push({ path: file, message: error.message });
      }
    }
  }
  return { skills, problems };
}

/** In alphabetical order of their folders, shallow ones first. */
async function skillFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const visited = new Set<string>();
  const queue: { readonly folder: string; readonly depth: number }[] = [{ folder: root, depth: 0 }];
  let entries = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    // A link that leads back up would otherwise be followed for ever.
    const real = await realpath(next.folder).catch(() => undefined);
    if (real === undefined || visited.has(real)) continue;
    if (visited.size >= MAX_FOLDERS) break;
    visited.add(real);
    const found = await readdir(next.folder, { withFileTypes: true }).catch(() => []);
    for (const entry of found.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (++entries > MAX_ENTRIES) return files;
      const full = path.join(next.folder, entry.name);
      if (entry.name === SKILL_FILE) {
        if (!entry.isDirectory()) files.push(full);
        continue;
      }
      if (entry.name.startsWith(".") || next.depth >= MAX_DEPTH) continue;
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(full))))
        queue.push({ folder: full, depth: next.depth + 1 });
    }
  }
  return files;
}

async function isFolder(file: string): Promise<boolean> {
  return await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
