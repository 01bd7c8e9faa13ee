// Installs the genuine programs and packages that the peer suite speaks to, below `.cache/peers`. Exact versions of
// everything that is loaded; a changed list is installed beside the old one. Nothing of it is a dependency of the workspace.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const packages = {
  "@openai/codex": "0.150.0",
  "@openai/codex-sdk": "0.150.0",
  "ai-sdk-provider-codex-app-server": "1.1.7",
  ai: "6.0.326",
  // What these load.
  "@ai-sdk/gateway": "3.0.232",
  "@ai-sdk/provider": "3.0.19",
  "@ai-sdk/provider-utils": "4.0.65",
  "@opentelemetry/api": "1.10.0",
  "@standard-schema/spec": "1.1.0",
  "@vercel/oidc": "3.2.0",
  "eventsource-parser": "3.1.1",
  "json-schema": "0.4.0",
  undici: "6.29.1",
  zod: "4.6.7",
};

/**
 * @param {string} root of the workspace
 * @returns {Record<string, string>} environment for the suite: TURNKIT_PEER_MODULES and TURNKIT_PEER_CODEX; what is set
 * already is used as it is
 */
export function installPeers(root) {
  if (process.env.TURNKIT_PEER_MODULES && process.env.TURNKIT_PEER_CODEX) return {};
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const folder = path.join(root, ".cache/peers", createHash("sha256").update(wanted.join()).digest("hex").slice(0, 12));
  const stamp = path.join(folder, "complete");
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true });
    process.stderr.write("turnkit: fetching the genuine clients …\n");
    const flags = ["--no-save", "--no-package-lock", "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
    const { status } = spawnSync("npm", ["install", "--prefix", folder, ...flags, ...wanted], { stdio: "inherit" });
    if (status !== 0) throw new Error("the genuine clients could not be installed");
    writeFileSync(stamp, "");
  }
  const modules = path.join(folder, "node_modules");
  return { TURNKIT_PEER_MODULES: modules, TURNKIT_PEER_CODEX: process.env.TURNKIT_PEER_CODEX ?? codexProgram(modules) };
}

/** @param {string} modules */
function codexProgram(modules) {
  const vendor = path.join(modules, `@openai/codex-${process.platform}-${process.arch}`, "vendor");
  const targets = existsSync(vendor) ? readdirSync(vendor) : [];
  const program = targets.map((target) => path.join(vendor, target, "bin/codex")).find((file) => existsSync(file));
  if (program === undefined) throw new Error(`no genuine program for ${process.platform} on ${process.arch}`);
  return program;
}
