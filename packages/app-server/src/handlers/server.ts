/** What a server says about itself, and the places where processes can run. */

import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { QuestionCounts, Session } from "@turnkit/core";
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";
import type { Handlers } from "./handler.js";

/** What became of the questions of the loaded threads: how waits ended, and why questions were not shown. */
const QUESTION_GAUGES: Readonly<Record<keyof QuestionCounts, string>> = {
  submitted: "questions_submitted",
  submittedEmpty: "questions_submitted_empty",
  autoResolved: "questions_auto_resolved",
  clientFailed: "questions_client_failed",
  holderCleared: "questions_holder_cleared",
  switchedOff: "questions_switched_off",
  notRootThread: "questions_not_root_thread",
  unavailableMode: "questions_unavailable_mode",
  invalidArguments: "questions_invalid_arguments",
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function questionCount(session: Session, reason: string): number {
  return session.snapshot().questions[reason as keyof QuestionCounts] ?? 0;
}

/** Empty where the system does not say. */
function openDescriptors(): number[] {
  try {
    return [readdirSync("/proc/self/fd").length];
  } catch {
    return [];
  }
}

export const serverHandlers: Handlers = {
  "server/diagnostics"(_params, { server }) {
    const gauge = (name: string, value: number) => ({ name, value });
    return {
      process: { id: process.pid, residentMemoryBytes: process.memoryUsage.rss(), physicalFootprintBytes: null },
      gauges: [
        gauge("connections", server.connections.size),
        gauge("loaded_threads", server.threads.size),
        gauge("pending_server_requests", server.requests.size),
        gauge("running_turns", server.threads.all().filter((thread) => thread.activeTurnId !== null).length),
        gauge(
          "background_terminals",
          sum(server.threads.all().map(({ session }) => session.backgroundTerminals().length)),
        ),
        gauge("heap_used_bytes", process.memoryUsage().heapUsed),
        ...openDescriptors().map((count) => gauge("open_descriptors", count)),
        ...Object.entries(QUESTION_GAUGES).map(([reason, name]) =>
          gauge(name, sum(server.threads.all().map((thread) => questionCount(thread.session, reason)))),
        ),
      ],
    };
  },

  async "environment/add"({ environmentId, execServerUrl }, { server }) {
    const host = await server.host();
    if (environmentId.trim() === "")
      throw new RpcError(RpcErrorCode.invalidRequest, "exec-server protocol error: environment id cannot be empty");
    if (!/^wss?:\/\//.test(execServerUrl))
      throw new RpcError(RpcErrorCode.invalidRequest, "execServerUrl must be a ws:// or wss:// URL");
    host.environments.add(environmentId, execServerUrl);
    return {};
  },

  async "environment/info"({ environmentId }, { server }) {
    const environments = (await server.host()).environments;
    if (!environments.has(environmentId))
      throw new RpcError(RpcErrorCode.invalidRequest, `unknown environment id \`${environmentId}\``);
    try {
      const { shell, cwd } = await environments.info(environmentId);
      return { shell, cwd: pathToFileURL(cwd).href };
    } catch (error) {
      throw new RpcError(
        RpcErrorCode.internalError,
        `failed to get environment info: ${error instanceof Error ? error.message : error}`,
      );
    }
  },

  async "environment/status"({ environmentId }, { server }) {
    const environments = (await server.host()).environments;
    return { status: environments.status(environmentId) };
  },
};
