/**
 * Finds the genuine program and has it write its own JSON Schema. Owns no comparison.
 * The program is the one named by TURNKIT_PEER_CODEX, or one that was installed below `.cache/peers`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import type { JsonSchema } from "../../src/schemas.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const wantedVersion = "0.150.0";

export type ReferenceProgram = { readonly file: string } | { readonly missing: string };

function installed(): string | undefined {
  const folder = path.join(root, ".cache", "peers");
  if (!existsSync(folder)) return undefined;
  const programs = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /vendor\/[^/]+\/(bin|codex)\/codex$/.test(name))
    .map((name) => path.join(folder, name));
  return programs.find((file) => versionOf(file) === wantedVersion);
}

function versionOf(file: string): string {
  return /[\d.]+$/.exec(execFileSync(file, ["--version"], { encoding: "utf8" }).trim())?.[0] ?? "";
}

export function referenceProgram(): ReferenceProgram {
  const named = process.env.TURNKIT_PEER_CODEX;
  const file = named ?? installed();
  if (file === undefined)
    return { missing: "no genuine program: TURNKIT_PEER_CODEX is not set, .cache/peers has none" };
  const version = versionOf(file);
  if (version !== wantedVersion) throw new Error(`${file} is version ${version}; ${wantedVersion} is compared against`);
  return { file };
}

/** The reference's schema of everything on its app-server's wire, as one draft-07 document. */
export async function generateReferenceSchema(file: string): Promise<JsonSchema> {
  const folder = mkdtempSync(path.join(tmpdir(), "reference-schema-"));
  try {
    execFileSync(file, ["app-server", "generate-json-schema", "--experimental", "--out", folder], {
      env: { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    return JSON.parse(readFileSync(path.join(folder, "codex_app_server_protocol.schemas.json"), "utf8"));
  } finally {
    await removeFolder(folder);
  }
}
