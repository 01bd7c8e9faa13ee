/** `environmentConfig/read`: the asked-for parts of this machine's own configuration. */

import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { RpcErrorCode } from "@turnkit/protocol";
import type { EnvironmentConfigReadParams, EnvironmentConfigReadResponse } from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import { parse, stringify } from "smol-toml";
import { uriFromPath } from "../../path-uri.js";
import { nativePath } from "./file-access.js";
import type { HandlerContext } from "./handler-context.js";

type Table = Record<string, unknown>;

export function readEnvironmentConfig(
  { cwd, configPaths, requirementsPaths }: EnvironmentConfigReadParams,
  { settings }: HandlerContext,
): EnvironmentConfigReadResponse {
  nativePath(cwd);
  if (configPaths.length === 0 && requirementsPaths.length === 0) {
    throw new RpcError(RpcErrorCode.invalidParams, "at least one config or requirements path is required");
  }
  if ([...configPaths, ...requirementsPaths].some((path) => path.length === 0)) {
    throw new RpcError(RpcErrorCode.invalidParams, "TOML paths must contain at least one key segment");
  }
  const home = settings.homeDirectory;
  const file = join(home, "config.toml");
  const part = select(readToml(file), configPaths);
  const layers =
    part === undefined ? [] : [{ source: `user (${file})`, baseDir: uriFromPath(home), toml: stringify(part) }];
  return {
    userHomeDir: uriFromPath(homedir()),
    codexHomeDir: uriFromPath(home),
    hostname: hostname(),
    config: { layers, cloudInsertionIndex: 0 },
    requirements: { layers: [], cloudInsertionIndex: 0 },
  };
}

/** A file that is missing configures nothing. @throws {RpcError} it is no TOML */
function readToml(file: string): Table {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  try {
    return parse(text);
  } catch (error) {
    const words = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new RpcError(RpcErrorCode.internalError, `failed to parse ${file}: ${words}`);
  }
}

/** The members the paths name, and nothing else; undefined when there are none. */
function select(table: Table, paths: readonly (readonly string[])[]): Table | undefined {
  const result: Table = {};
  let found = false;
  for (const path of paths) {
    let value: unknown = table;
    for (const key of path) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (value === undefined) continue;
    found = true;
    let place = result;
    for (const key of path.slice(0, -1)) {
      const inner = place[key];
      place = isTable(inner) ? inner : ((place[key] = {}) as Table);
    }
    place[path.at(-1) as string] = structuredClone(value);
  }
  return found ? result : undefined;
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
