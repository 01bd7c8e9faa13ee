/** Packages as others get them: packed, and installed from their tarballs into an empty project. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";

export const packageFolder = fileURLToPath(new URL("../../", import.meta.url));
const root = path.resolve(packageFolder, "../..");

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end, whatever that is. */
export async function run(cwd: string, command: string, ...args: string[]): Promise<Finished> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, maxBuffer: 1 << 26 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === "number" ? code : -1, output: stdout + stderr || String(error) };
  }
}

async function succeed(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(cwd, command, ...args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
}

/** What the manifest's entry points lead to that is not there. */
function missing(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  };
  return Object.values(exports)
    .flatMap((entry) => (typeof entry === "string" ? [] : [entry.types, entry.default]))
    .filter((file) => !existsSync(path.join(folder, file)));
}

/** Somebody may be building at this moment: the files come back one after the other. */
async function built(folder: string): Promise<void> {
  for (let round = 0; missing(folder).length > 0; round++) {
    if (round === 400) throw new Error(`${folder} is not built (${missing(folder)[0]}): run \`npm run build\` first`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The pinned package manager as the bootstrap installs it. */
function pnpm(): string {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    packageManager: string;
  };
  const file = path.join(root, ".tools", packageManager.replace("@", "-"), "node_modules/.bin/pnpm");
  return existsSync(file) ? file : "pnpm";
}

export class ConsumerProject implements AsyncDisposable {
  readonly folder: string;
  readonly tarball: string;

  private constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.tarball = tarball;
  }

  /**
   * Packs what the last build wrote, of this package or of some of the repository's; the last one named is `tarball`.
   * @param development what else the project wants, with versions
   */
  static async create(
    names: readonly string[] = ["protocol"],
    development: Readonly<Record<string, string>> = {},
  ): Promise<ConsumerProject> {
    const folder = await mkdtemp(path.join(tmpdir(), "packed-consumer-"));
    const dependencies: Record<string, string> = {};
    let tarball = "";
    for (const name of names) {
      const source = path.join(root, "packages", name);
      await built(source);
      const before = new Set(await readdir(folder));
      await succeed(source, pnpm(), "pack", "--pack-destination", folder);
      const packed = (await readdir(folder)).find((file) => file.endsWith(".tgz") && !before.has(file));
      if (packed === undefined) throw new Error(`${name}: nothing was packed`);
      dependencies[`@turnkit/${name}`] = `file:./${packed}`;
      tarball = path.join(folder, packed);
    }
    const manifest = { private: true, type: "module", dependencies, devDependencies: development };
    await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
    // What the packages want of each other is what was packed, not what a registry has. JSON is YAML too.
    const workspace = { overrides: dependencies, allowBuilds: { "node-pty": false, sharp: false } };
    await writeFile(path.join(folder, "pnpm-workspace.yaml"), JSON.stringify(workspace));
    await succeed(folder, pnpm(), "install", "--prefer-offline");
    return new ConsumerProject(folder, tarball);
  }

  /** Names of everything that was installed. */
  async installed(): Promise<string[]> {
    const names = await readdir(path.join(this.folder, "node_modules", ".pnpm"));
    return names
      .filter((name) => name.includes("@"))
      .map((name) => name.replace(/(?<=.)@.*/, "").replace("+", "/"))
      .sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.folder);
  }
}
