/** What one server was started with. */
import type { ExecEnvironmentInfo } from "@turnkit/protocol/exec";

export interface ServerSettings {
  /** Requests of one connection that run at once. */
  readonly concurrentRequests: number;
  /** The server's own environment, the base of `envPolicy` and of header variables. */
  readonly environment: NodeJS.ProcessEnv;
  readonly environmentInfo: () => ExecEnvironmentInfo;
  /** Folder of `config.toml`. */
  readonly homeDirectory: string;
}
