/** Sessions for tests: the scripted model over real HTTP, real processes, a home folder of their own. */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ScriptedModel, type ScriptedResponse, startScriptedModel } from "@turnkit/core/scripted-model";
import { LocalHost } from "@turnkit/exec-server/local-host";
import type { EventMsg, ThreadSettings, TurnInputRequest, UserInput } from "@turnkit/protocol";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import {
  createResponsesClient,
  createSession,
  type ModelProvider,
  type Session,
  type SessionOptions,
} from "../src/index.js";
import { FileThreadStore } from "../src/rollout/index.js";

export interface Rig extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly model: ScriptedModel;
  readonly session: Session;
  readonly events: EventMsg[];
  /** Resolves with the first event (from now on, or among those that were) that fits. */
  seen<Kind extends EventMsg["type"]>(
    kind: Kind,
    fits?: (event: Extract<EventMsg, { type: Kind }>) => boolean,
  ): Promise<Extract<EventMsg, { type: Kind }>>;
  /** Submits text and resolves with the turn's id. */
  say(text: string, request?: Partial<TurnInputRequest>): Promise<string>;
  /** Submits text and waits for the end of its turn. */
  turn(text: string, request?: Partial<TurnInputRequest>): Promise<string>;
  rollout(): Promise<readonly { readonly type: string; readonly payload: Record<string, unknown> }[]>;
  /** Output of a call as the model was shown it. */
  outputOf(callId: string): string | undefined;
}

export function settings(cwd: string, changes: Partial<ThreadSettings> = {}): ThreadSettings {
  return {
    model: "gpt-5.4",
    model_provider_id: "mock",
    cwd,
    approval_policy: "never",
    approvals_reviewer: "user",
    sandbox_policy: { type: "danger-full-access" },
    permission_profile: { type: "disabled" },
    personality: "pragmatic",
    collaboration_mode: {
      mode: "default",
      settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
    },
    ...changes,
  };
}

export const PLAN = {
  mode: "plan" as const,
  settings: { model: "gpt-5.4", reasoning_effort: null, developer_instructions: null },
};

export function textInput(text: string, clientId: string | null = null): TurnInputRequest {
  const content: UserInput[] = [{ type: "text", text, text_elements: [] }];
  return { input: { UserInput: { content, client_id: clientId } } };
}

export function provider(model: ScriptedModel, changes: Partial<ModelProvider> = {}): ModelProvider {
  return {
    id: "mock",
    name: "mock",
    baseUrl: model.url,
    envKey: undefined,
    envKeyInstructions: undefined,
    headers: {},
    envHeaders: {},
    queryParams: {},
    requestMaxRetries: 0,
    streamMaxRetries: 0,
    streamIdleTimeoutMs: 30_000,
    ...changes,
  };
}

export interface RigOptions {
  readonly responses?: readonly ScriptedResponse[];
  readonly session?: Partial<SessionOptions>;
  readonly settings?: Partial<ThreadSettings>;
  readonly provider?: Partial<ModelProvider>;
  readonly keep?: boolean;
}

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const folder = await mkdtemp(path.join(tmpdir(), "turnkit-core-"));
  const home = path.join(folder, "home");
  const model = await startScriptedModel({ responses: options.responses ?? [] });
  const host = new LocalHost();
  const client = createResponsesClient({
    provider: provider(model, options.provider),
    environment: {},
    userAgent: "test",
  });
  const session = await createSession({
    modelClient: client,
    processHost: host,
    store: new FileThreadStore(home),
    settings: settings(folder, options.settings),
    originator: "test",
    source: "exec",
    exec: { shell: { name: "bash", path: "/bin/bash" } },
    ...options.session,
  });
  const events: EventMsg[] = [];
  const waiters = new Set<() => void>();
  session.subscribe(({ msg }) => {
    events.push(msg);
    for (const waiter of [...waiters]) waiter();
  });
  const rig: Rig = {
    home,
    cwd: folder,
    model,
    session,
    events,
    async seen(kind, fits = () => true) {
      for (;;) {
        const found = events.find((event) => event.type === kind && fits(event as never));
        if (found) return found as never;
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(
            () => reject(new Error(`no ${kind}; there were ${events.map((event) => event.type).join(", ")}`)),
            15_000,
          );
          const wake = () => {
            clearTimeout(timer);
            waiters.delete(wake);
            resolve();
          };
          waiters.add(wake);
        });
      }
    },
    async say(text, request) {
      const submission = await session.submit({ ...textInput(text), ...request }, "StartOrSteer");
      if ("Started" in submission) return submission.Started.turn_id;
      if ("Steered" in submission) return submission.Steered.turn_id;
      throw new Error(JSON.stringify(submission));
    },
    async turn(text, request) {
      const id = await rig.say(text, request);
      await rig.seen("task_complete", (event) => event.turn_id === id);
      return id;
    },
    async rollout() {
      await session.flush();
      const text = await readFile(session.snapshot().rolloutPath!, "utf8");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { type: string; payload: Record<string, unknown> });
    },
    outputOf(callId) {
      for (const call of model.calls) {
        const { input } = call.body as { input: { type: string; call_id?: string; output?: unknown }[] };
        for (const item of input)
          if (item.type.endsWith("_output") && item.call_id === callId) return item.output as string;
      }
      return undefined;
    },
    async [Symbol.asyncDispose]() {
      await session.shutdown();
      await client[Symbol.asyncDispose]();
      await model.close();
      await host[Symbol.asyncDispose]();
      if (!options.keep) await removeFolder(folder);
    },
  };
  return rig;
}
