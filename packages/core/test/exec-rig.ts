/** exec_command and write_stdin by themselves, with real processes and without a session. */
import type { EventMsg } from "@turnkit/protocol";
import type { ProcessHost } from "@turnkit/protocol/exec";
import {
  type Clock,
  commandEnvironment,
  createExecCommandTool,
  createWriteStdinTool,
  DEFAULT_ENVIRONMENT_POLICY,
  dispatch,
  ToolRegistry,
  UnifiedExec,
} from "@turnkit/tools";
import { ManualPause, toolTurn } from "@turnkit/tools/testing";

const clock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

export function execRig(host: ProcessHost, cwd: string) {
  const events: EventMsg[] = [];
  const pause = new ManualPause();
  const exec = new UnifiedExec({ host, clock, pause, emit: (_, event) => events.push(event) });
  const registry = new ToolRegistry([
    createExecCommandTool({
      exec,
      authorizer: { authorize: async () => ({ type: "run", sandbox: null }) },
      defaultShell: { name: "bash", path: "/bin/bash" },
      resolveShell: async (path) => ({ name: "sh", path }),
      loginAllowed: true,
      additionalPermissions: false,
      environment: () =>
        commandEnvironment({
          policy: DEFAULT_ENVIRONMENT_POLICY,
          inherited: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: cwd },
          threadId: "t",
          sessionId: "s",
          extra: {},
        }),
      resolvePath: (base, path) => (path.startsWith("/") ? path : `${base}/${path}`),
    }),
    createWriteStdinTool({ exec }),
  ]);
  let calls = 0;
  const call = async (name: string, args: object): Promise<string> => {
    calls += 1;
    const output = await dispatch(
      { callId: `call-${calls}`, name, payload: { kind: "function", arguments: JSON.stringify(args) } },
      { turn: toolTurn({ cwd }), signal: new AbortController().signal, emit: (event) => events.push(event) },
      { registry, hooks: undefined, observer: undefined, recordContexts() {} },
    );
    return output.body as string;
  };
  return {
    events,
    exec,
    pause,
    run: (cmd: string, more: object = {}) => call("exec_command", { cmd, login: false, ...more }),
    write: (sessionId: number, chars = "", more: object = {}) =>
      call("write_stdin", { session_id: sessionId, chars, ...more }),
  };
}

export type ExecRig = ReturnType<typeof execRig>;

export const sessionOf = (output: string): number => Number(/session ID (\d+)/.exec(output)?.[1]);
export const exitOf = (output: string): number | undefined => {
  const found = /exited with code (-?\d+)/.exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
};
export const textOf = (output: string): string => output.slice(output.indexOf("Output:\n") + "Output:\n".length);
