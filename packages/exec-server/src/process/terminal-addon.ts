/**
 * The only file that loads node-pty, and it loads its native part alone: the wrapper around it forces PWD and TERM
 * into the environment, loses output at exit and reports wrong statuses. Pinned exactly; the exit-loss test guards it.
 */

export interface TerminalAddon {
  /** Throws when the system has no terminal left. A bad program or folder only shows as exit status 1. */
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  /** A terminal without a process. Neither descriptor is close-on-exec. */
  open(cols: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(descriptor: number, cols: number, rows: number, pixelWidth: number, pixelHeight: number): void;
}

let loaded: Promise<TerminalAddon> | undefined;

export function terminalAddon(): Promise<TerminalAddon> {
  loaded ??= import("node-pty").then((module) => {
    const namespace = module as unknown as { native?: TerminalAddon; default?: { native?: TerminalAddon } };
    const native = namespace.native ?? namespace.default?.native;
    if (!native) throw new Error("terminals are not available on this system");
    return native;
  });
  return loaded;
}
