/** What a connection lends the handlers of its requests. */
import type { OpenFiles } from "../open-files.js";
import type { ProcessRegistry } from "../process-registry.js";
import type { ServerSettings } from "../settings.js";
import type { ShellSnapshots } from "../shell-snapshot.js";

export interface HandlerContext {
  readonly processes: ProcessRegistry;
  readonly snapshots: ShellSnapshots;
  readonly files: OpenFiles;
  /** Request ids of bodies being streamed. */
  readonly streams: Set<string>;
  readonly settings: ServerSettings;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  readonly notify: (method: string, params: unknown) => void;
  /** Resolves when the client has taken enough of what was sent. */
  readonly drained: () => Promise<void>;
  /** From here on the request only waits for news. */
  readonly park: () => void;
}
