/** Sessions with MCP servers for tests: real processes, a model without a server. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { LocalHost } from "@turnkit/exec-server/local-host";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import type { McpServerConfig } from "../src/config/index.js";
import type { SessionOptions } from "../src/index.js";
import { type FakeReply, items, say, toolCall } from "../src/testing/index.js";
import { start } from "./session-rig.js";

export const FAULT_SERVER = fileURLToPath(new URL("./mcp-fault-server.mjs", import.meta.url));

export const EVERYTHING = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
);

export function server(args: readonly string[], changes: Partial<McpServerConfig> = {}): McpServerConfig {
  return {
    transport: { type: "stdio", command: process.execPath, args, env: {}, envVars: [], cwd: undefined },
    enabled: true,
    required: false,
    startupTimeoutMs: 60_000,
    toolTimeoutMs: 60_000,
    enabledTools: undefined,
    disabledTools: [],
    approvalMode: "auto",
    toolApprovalModes: {},
    parallelToolCalls: false,
    ...changes,
  };
}

export function command(
  config: McpServerConfig,
  changes: Partial<Extract<McpServerConfig["transport"], { type: "stdio" }>>,
): McpServerConfig {
  return { ...config, transport: { ...config.transport, ...changes } as McpServerConfig["transport"] };
}

export interface McpRigOptions {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly session?: Partial<SessionOptions>;
  readonly mcp?: Partial<NonNullable<SessionOptions["mcp"]>>;
}

export async function startWithMcp(replies: readonly FakeReply[], options: McpRigOptions) {
  const rig = await start(replies, {
    mcp: { servers: options.servers, host: new LocalHost(), environment: process.env, ...options.mcp },
    ...options.session,
  });
  return {
    ...rig,
    async [Symbol.asyncDispose]() {
      await rig.session.shutdown();
    },
    /** The outcome of a server's start. */
    started: async (name: string) => {
      for (let count = 1; ; count++) {
        const { server: told, status } = await rig.next("mcp_startup_update", count);
        if (told === name && status.state !== "starting") return status;
      }
    },
    /** The output of a call, as the model reads it. */
    outputOf: (callId: string) => rig.model.outputOf(callId),
  };
}

export type NamedCall = readonly [name: string, args: unknown, callId: string];

/** One response for each call, then a text. */
export function calls(...named: readonly NamedCall[]): FakeReply[] {
  return [...named.map(([name, args, callId]) => items(toolCall(name, args, callId))), say("done")];
}

export async function scratch() {
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-mcp-"));
  return {
    folder,
    log: path.join(folder, "log"),
    lines: () =>
      existsSync(path.join(folder, "log")) ? readFileSync(path.join(folder, "log"), "utf8").trim().split("\n") : [],
    [Symbol.asyncDispose]: () => removeFolder(folder),
  };
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let left = 2000; !condition(); left--) {
    if (left === 0) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
