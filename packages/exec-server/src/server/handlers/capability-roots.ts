/** `capabilityRoots/discoverV1`: the plugin and the skills found below each folder. Runs nothing it finds. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type {
  CapabilityFile,
  CapabilityRoot,
  CapabilityRootsDiscoverParams,
  CapabilityRootsDiscoverResponse,
} from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { uriFromPath } from "../../path-uri.js";
import { osError, osErrorText } from "../../process/os-error.js";
import { permitted } from "./file-access.js";

const MAX_ROOTS = 128;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_DEPTH = 6;
const MAX_FOLDERS = 2_000;
const MANIFEST = join(".codex-plugin", "plugin.json");

type Root = CapabilityRootsDiscoverParams["roots"][number];

export function discoverCapabilityRoots({ roots }: CapabilityRootsDiscoverParams): CapabilityRootsDiscoverResponse {
  if (roots.length > MAX_ROOTS) {
    throw new RpcError(RpcErrorCode.invalidRequest, `capability root discovery accepts at most ${MAX_ROOTS} roots`);
  }
  return { roots: roots.map(discover) };
}

function discover({ id, path: uri, sandbox }: Root): CapabilityRoot {
  const empty = { id, path: uri, plugin: null, skills: [], namespaceManifests: [], warnings: [] };
  let folder: string;
  try {
    folder = permitted(uri, "read", sandbox);
    if (!statSync(folder).isDirectory()) throw osError("ENOTDIR");
  } catch (error) {
    const words = error instanceof RpcError ? error.message : osErrorText(error);
    return { ...empty, error: `failed to inspect capability root ${uri}: ${words}` };
  }
  const warnings: string[] = [];
  const file = (path: string) => readCapabilityFile(path, warnings);
  const manifest = file(join(folder, MANIFEST));
  const plugin = manifest && {
    manifest,
    mcpConfig: file(join(folder, ".mcp.json")),
    appsConfig: file(join(folder, ".app.json")),
  };
  const skills: CapabilityRoot["skills"] = [];
  const namespaceManifests: CapabilityFile[] = [];
  for (const each of foldersBelow(folder, warnings)) {
    const instructions = file(join(each, "SKILL.md"));
    if (instructions) skills.push({ instructions, metadata: file(join(each, "agents", "openai.yaml")) });
    const namespace = file(join(each, MANIFEST));
    if (namespace) namespaceManifests.push(namespace);
  }
  return { ...empty, plugin, skills, namespaceManifests, warnings, error: null };
}

/** The folder itself and those below it, breadth first and by name; hidden ones and links are left out. */
function foldersBelow(root: string, warnings: string[]): string[] {
  const folders = [root];
  const depths = [0];
  for (let index = 0; index < folders.length; index++) {
    const folder = folders[index] as string;
    const depth = depths[index] as number;
    if (depth === MAX_DEPTH) continue;
    let names: string[];
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map((entry) => entry.name);
    } catch (error) {
      warnings.push(`failed to read ${uriFromPath(folder)}: ${osErrorText(error)}`);
      continue;
    }
    for (const name of names.sort()) {
      if (folders.length >= MAX_FOLDERS) {
        warnings.push(`more than ${MAX_FOLDERS} folders below ${uriFromPath(root)}: the rest was left out`);
        return folders;
      }
      folders.push(join(folder, name));
      depths.push(depth + 1);
    }
  }
  return folders;
}

function readCapabilityFile(path: string, warnings: string[]): CapabilityFile | null {
  try {
    const found = statSync(path);
    if (!found.isFile()) return null;
    if (found.size > MAX_FILE_BYTES) throw new Error(`larger than ${MAX_FILE_BYTES} bytes`);
    return { path: uriFromPath(path), contents: readFileSync(path, "utf8") };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      warnings.push(`failed to read ${uriFromPath(path)} in ${dirname(path)}: ${osErrorText(error)}`);
    }
    return null;
  }
}
