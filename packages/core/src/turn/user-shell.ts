/** Where the commands run that the person gives themselves. Types only. */
import type { ProcessHost } from "@turnkit/protocol/exec";
import type { Shell } from "@turnkit/tools";

export interface UserShell {
  readonly host: ProcessHost;
  readonly shell: Shell;
  readonly isLogin: boolean;
  readonly environment: () => Record<string, string>;
}
