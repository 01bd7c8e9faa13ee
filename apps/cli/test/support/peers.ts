/** The genuine clients that `npm run peers` installs, and what a server for them is configured with. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Home } from "./cli.js";

function required(variable: "TURNKIT_PEER_CODEX" | "TURNKIT_PEER_MODULES"): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set; \`npm run peers\` sets it`);
  return value;
}

/** The genuine program. */
export const genuineProgram = (): string => required("TURNKIT_PEER_CODEX");

export const peerFile = (name: string): string => path.join(required("TURNKIT_PEER_MODULES"), name);

/** An installed package; `file` is its entry. */
export async function peerModule<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(peerFile(file)).href)) as Module;
}

/** A home whose threads ask the scripted model, unprotected and without approvals. */
export function configureModel(home: Home, url: string, model = "gpt-5.4"): void {
  home.write(
    "config.toml",
    `model = "${model}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
  );
}
