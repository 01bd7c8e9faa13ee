/** The tools of a session, built once from its ports and features. What is listed is exactly what can be called. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import type { ProcessHost } from "@turnkit/protocol/exec";
import {
  type CallContext,
  type Clock,
  commandEnvironment,
  createApplyPatchTool,
  createExecCommandTool,
  createRequestPermissionsTool,
  createRequestUserInputTool,
  createUpdatePlanTool,
  createViewImageTool,
  createWriteStdinTool,
  DEFAULT_ENVIRONMENT_POLICY,
  type ExecAuthorizer,
  modesAllowingQuestions,
  PatchApplier,
  type PatchAuthorizer,
  type PatchReporter,
  type PermissionAsker,
  type RequestUserInputOptions,
  RespondToModel,
  type Shell,
  shellNameOf,
  type Tool,
  ToolRegistry,
  type ToolTurn,
  type UnifiedExec,
  type UserPrompter,
} from "@turnkit/tools";
import { nodeFileSystem } from "@turnkit/tools/node";
import type { ExecSettings, SessionFeatures } from "./session-options.js";

export interface ToolSet {
  /** What commands inherit. */
  readonly environment: () => Record<string, string>;
  /** The tools there are now. */
  readonly registry: ToolRegistry;
  /** The question tool is neither listed nor callable. */
  readonly questionsSwitchedOff: boolean;
}

export type { CallContext };

export interface ToolSetOptions {
  readonly features: SessionFeatures;
  readonly prompter: UserPrompter;
  readonly questionRefused: RequestUserInputOptions["refused"];
  readonly exec: UnifiedExec | undefined;
  readonly authorizer: ExecAuthorizer;
  readonly patchAuthorizer: PatchAuthorizer;
  readonly permissionAsker: PermissionAsker;
  readonly patchReporter: PatchReporter;
  readonly clock: Clock;
  readonly modelSeesImages: (turn: ToolTurn) => boolean;
  readonly imageViewed: (turn: ToolTurn, callId: string, path: string) => void;
  readonly execSettings: ExecSettings;
  readonly shell: Shell;
  readonly threadId: string;
  readonly sessionId: string;
  readonly extra: readonly Tool[];
  /** Tools that come and go; `version` is another number whenever they are others. */
  readonly changing: { readonly tools: readonly Tool[]; readonly version: number } | undefined;
}

/** The person's shell as the host sees it. */
export async function defaultShell(host: ProcessHost | null, settings: ExecSettings): Promise<Shell> {
  if (settings.shell) return settings.shell;
  if (host) return (await host.environment()).shell;
  return { name: "sh", path: "/bin/sh" };
}

/** @throws {Error} an added tool has the name of a built-in one */
export function createToolSet(options: ToolSetOptions): ToolSet {
  const { exec, features } = options;
  const tools: Tool[] = [];
  const resolvePath = (base: string, given: string) => path.resolve(base, given);
  const patches = new PatchApplier({
    files: nodeFileSystem,
    clock: options.clock,
    authorizer: options.patchAuthorizer,
    reporter: options.patchReporter,
    resolvePath,
    folderOf: path.dirname,
  });
  if (exec) {
    const loginAllowed = options.execSettings.loginAllowed ?? true;
    tools.push(
      createExecCommandTool({
        exec,
        authorizer: options.authorizer,
        defaultShell: options.shell,
        resolveShell,
        loginAllowed,
        additionalPermissions: features.commandPermissions,
        environment: () => environmentOf(options),
        resolvePath,
        patches,
      }),
      createWriteStdinTool({ exec }),
    );
  }
  tools.push(createUpdatePlanTool());
  if (features.questionTool)
    tools.push(
      createRequestUserInputTool({
        modes: modesAllowingQuestions(features),
        prompter: options.prompter,
        refused: options.questionRefused,
      }),
    );
  if (features.permissionTool)
    tools.push(createRequestPermissionsTool({ asker: options.permissionAsker, resolvePath }));
  tools.push(
    createApplyPatchTool(patches),
    createViewImageTool({
      files: nodeFileSystem,
      resolvePath,
      modelSeesImages: options.modelSeesImages,
      viewed: options.imageViewed,
      prepare: async (bytes, _, detail) => await imageUrl(bytes, detail),
    }),
  );
  const { changing } = options;
  const own = [...tools, ...options.extra];
  let registry = new ToolRegistry(own);
  let version = 0;
  return {
    get registry() {
      if (changing && changing.version !== version) {
        version = changing.version;
        const taken = new Set(own.map(({ spec }) => spec.name));
        registry = new ToolRegistry([...own, ...changing.tools.filter(({ spec }) => !taken.has(spec.name))]);
      }
      return registry;
    },
    questionsSwitchedOff: !features.questionTool,
    environment: () => environmentOf(options),
  };
}

function environmentOf(options: ToolSetOptions): Record<string, string> {
  const inherited = options.execSettings.environment ?? process.env;
  return commandEnvironment({
    policy: options.execSettings.environmentPolicy ?? DEFAULT_ENVIRONMENT_POLICY,
    inherited: Object.fromEntries(
      Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    threadId: options.threadId,
    sessionId: options.sessionId,
    extra: {},
  });
}

/** The program a model names, looked up like a command; one that does not exist gives the plain shell. */
export async function resolveShell(given: string): Promise<Shell> {
  const base = path.basename(given);
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const candidates = [...folders.map((folder) => path.join(folder, base)), ...(path.isAbsolute(given) ? [given] : [])];
  for (const candidate of candidates)
    if (await isExecutable(candidate)) return { name: shellNameOf(candidate), path: candidate };
  return { name: "sh", path: "/bin/sh" };
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws {RespondToModel} not an image a model takes */
async function imageUrl(bytes: Uint8Array, detail: "high" | "original"): Promise<string> {
  const { ImageError, prepareImage } = await import("../context/media/prepare-image.js");
  const { FITTED_LIMITS, ORIGINAL_LIMITS } = await import("../context/media/fit-image.js");
  try {
    const image = await prepareImage(bytes, detail === "original" ? ORIGINAL_LIMITS : FITTED_LIMITS);
    return `data:${image.mime};base64,${Buffer.from(image.bytes).toString("base64")}`;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw new RespondToModel("unable to process image: invalid or unsupported image data");
  }
}
