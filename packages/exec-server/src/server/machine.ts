/** What this server tells about the machine it runs on. */
import { userInfo } from "node:os";
import { basename } from "node:path";
import type { ExecCapabilities, ExecEnvironmentInfo } from "@turnkit/protocol/exec";
import { uriFromPath } from "../path-uri.js";

export function environmentInfo(env: NodeJS.ProcessEnv, capabilities: ExecCapabilities): ExecEnvironmentInfo {
  const shell = loginShell();
  const tempDir = env.TMPDIR || "/tmp";
  return {
    shell: { name: basename(shell), path: shell },
    cwd: uriFromPath(process.cwd()),
    temporaryDirectories: env.TMPDIR ? [uriFromPath(env.TMPDIR)] : [],
    tempDir: uriFromPath(tempDir),
    capabilities,
  };
}

/** The shell of the account, not of the environment. */
export function loginShell(): string {
  try {
    return userInfo().shell || "/bin/sh";
  } catch {
    return "/bin/sh";
  }
}
