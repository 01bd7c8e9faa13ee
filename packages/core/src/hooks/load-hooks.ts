/** Gathers the hooks of a session from everywhere they may be declared, and says which of them may run. */
import path from "node:path";
import {
  type CommandHandler,
  type HookDeclarations,
  joinDeclarations,
  readHooksFile,
  readHooksTable,
} from "./hook-config.js";
import { mayRun, readHookStates, type TrustFacts } from "./hook-trust.js";

export interface LoadHooksOptions {
  /** Folder of the person's configuration. */
  readonly home: string;
  /** The `[hooks]` table of the configuration in force. */
  readonly table: Readonly<Record<string, unknown>>;
  /** Folders with a project's own configuration, outermost first; empty for a project that is not trusted. */
  readonly projectFolders: readonly string[];
  readonly bypassTrust: boolean;
}

export interface LoadedHooks {
  readonly declarations: HookDeclarations;
  readonly trust: TrustFacts;
  readonly runnable: readonly CommandHandler[];
}

export async function loadHooks(options: LoadHooksOptions): Promise<LoadedHooks> {
  const { state, ...events } = options.table;
  const declarations = joinDeclarations([
    await readHooksFile(options.home, "user"),
    readHooksTable(events, path.join(options.home, "config.toml"), "user"),
    ...(await Promise.all(options.projectFolders.map((folder) => readHooksFile(folder, "project")))),
  ]);
  const trust: TrustFacts = { states: readHookStates(state), bypass: options.bypassTrust };
  return { declarations, trust, runnable: declarations.handlers.filter((handler) => mayRun(handler, trust)) };
}
