/**
 * The places where processes can run: this machine (`local`), and exec-servers that were named at start or by clients.
 * Every thread gets a host of its own: ids of processes are only unique within a thread.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import type { ProcessHost } from "@turnkit/protocol/exec";
import { RpcError } from "@turnkit/rpc";
import type { Environments } from "../ports.js";

/** This machine. */
export const LOCAL_ENVIRONMENT = "local";
const local = LOCAL_ENVIRONMENT;
const remote = "remote";

interface RemoteEnvironment {
  readonly url: string;
  status: "pending" | "ready" | "disconnected";
}

/** How hosts are made. */
export interface HostSources {
  /** Processes on this machine. */
  readonly local: () => ProcessHost;
  /** Processes behind the exec-server at this URL. */
  readonly remote: (url: string) => Promise<ProcessHost>;
}

export class HostEnvironments implements Environments {
  readonly #hosts: HostSources;
  readonly #remotes = new Map<string, RemoteEnvironment>();
  readonly defaultId: string;

  /** `url`: an exec-server that threads use unless they ask for another place. */
  constructor(hosts: HostSources, url: string | undefined) {
    this.#hosts = hosts;
    this.defaultId = url === undefined ? local : remote;
    if (url !== undefined) this.#remotes.set(remote, { url, status: "pending" });
  }

  has(environmentId: string): boolean {
    return environmentId === local || this.#remotes.has(environmentId);
  }

  add(environmentId: string, execServerUrl: string): void {
    if (environmentId === local)
      throw new RpcError(RpcErrorCode.invalidRequest, "exec-server protocol error: environment id `local` is reserved");
    this.#remotes.set(environmentId, { url: execServerUrl, status: "pending" });
  }

  status(environmentId: string): "ready" | "pending" | "disconnected" | "unknown" {
    return environmentId === local ? "ready" : (this.#remotes.get(environmentId)?.status ?? "unknown");
  }

  async info(environmentId: string): Promise<{ shell: { name: string; path: string }; cwd: string }> {
    await using host = await this.open(environmentId);
    const { shell, cwd } = await host.environment();
    return { shell, cwd };
  }

  /** @throws {RpcError} no such place @throws {Error} it cannot be reached */
  async open(environmentId: string): Promise<ProcessHost> {
    if (environmentId === local) return this.#hosts.local();
    const environment = this.#remotes.get(environmentId);
    if (!environment) throw new RpcError(RpcErrorCode.invalidRequest, `unknown environment id \`${environmentId}\``);
    try {
      const host = await this.#hosts.remote(environment.url);
      environment.status = "ready";
      return host;
    } catch (error) {
      environment.status = "disconnected";
      throw error;
    }
  }
}
