/** The places where processes can run: this machine. */
import { LocalHost } from "@turnkit/exec-server/local-host";
import { RpcError } from "@turnkit/rpc";
import type { Environments } from "../ports.js";

export class LocalEnvironments implements Environments, AsyncDisposable {
  readonly #local = new LocalHost();

  has(environmentId: string): boolean {
    return environmentId === "local";
  }

  add(environmentId: string): void {
    throw new RpcError(-32601, `environment/add is not supported yet: ${environmentId}`);
  }

  status(environmentId: string): "ready" | "unknown" {
    return this.has(environmentId) ? "ready" : "unknown";
  }

  async info(): Promise<{ shell: { name: string; path: string }; cwd: string }> {
    const { shell, cwd } = await this.#local.environment();
    return { shell, cwd };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#local[Symbol.asyncDispose]();
  }
}
