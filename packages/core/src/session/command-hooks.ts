/** Makes the hooks of a session from commands: where they run, what they learn of the session, how they are reported. */
import { tmpdir } from "node:os";
import path from "node:path";
import type { Clock, Logger } from "@turnkit/tools";
import { HookRunner } from "../hooks/hook-runner.js";
import { CommandSessionHooks, hookShell } from "../hooks/session-hooks.js";
import type { Runtime } from "./runtime.js";
import type { SessionHooks, SessionOptions } from "./session-options.js";

interface Facts {
  readonly threadId: string;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runtime: () => Runtime;
}

/** undefined: there is nothing to run. */
export function commandHooks({ commandHooks: commands }: SessionOptions, facts: Facts): SessionHooks | undefined {
  if (commands === undefined || commands.handlers.length === 0) return undefined;
  const environment = commands.environment ?? process.env;
  const { runtime } = facts;
  const runner = new HookRunner({
    handlers: commands.handlers,
    clock: facts.clock,
    logger: facts.logger,
    shell: hookShell(environment.SHELL),
    environment,
    coverDescriptors: commands.coverDescriptors,
    spillFolder: path.join(tmpdir(), "hook_outputs", facts.threadId),
    reportStart: (turnId, run) => runtime().emit(turnId ?? "", { type: "hook_started", turn_id: turnId, run }),
    reportEnd: (turnId, run) => runtime().emit(turnId ?? "", { type: "hook_completed", turn_id: turnId, run }),
  });
  return new CommandSessionHooks(runner, () => {
    const { settings, parts } = runtime();
    return {
      sessionId: facts.sessionId,
      transcriptPath: parts.recorder?.path ?? null,
      cwd: settings.cwd,
      model: settings.model,
      bypassesPermissions: settings.approval_policy === "never",
      isRootThread: parts.isRootThread,
    };
  });
}
