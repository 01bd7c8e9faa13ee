/** Which handler serves which method, and the name of its family in refusals. Owns no behaviour. */
import { discoverCapabilityRoots } from "./capability-roots.js";
import { copy } from "./copy.js";
import { readEnvironmentConfig } from "./environment-config.js";
import * as files from "./filesystem.js";
import type { HandlerContext } from "./handler-context.js";
import { httpRequest } from "./http.js";
import * as processes from "./process.js";
import { walk } from "./walk.js";

type Run<Params> = (params: Params, context: HandlerContext) => unknown;

function of<Params>(family: string, run: Run<Params>) {
  return { family, run };
}

const exec = <Params>(run: Run<Params>) => of("exec", run);
const filesystem = <Params>(run: Run<Params>) => of("filesystem", run);

export const handlers = {
  "environment/info": of("environment info", (_: unknown, { settings }) => settings.environmentInfo()),
  "environment/status": of("environment status", () => ({ status: "ready" })),
  "environmentConfig/read": of("environment config", readEnvironmentConfig),
  "capabilityRoots/discoverV1": of("capability discovery", discoverCapabilityRoots),
  "process/start": exec((params: Parameters<typeof processes.startProcess>[1], context) =>
    processes.startProcess(context, params),
  ),
  "process/read": exec((params: Parameters<typeof processes.readProcess>[1], context) =>
    processes.readProcess(context.processes, params, context.park, context.signal),
  ),
  "process/write": exec((params: Parameters<typeof processes.writeProcess>[1], context) =>
    processes.writeProcess(context.processes, params),
  ),
  "process/signal": exec((params: Parameters<typeof processes.signalProcess>[1], context) =>
    processes.signalProcess(context.processes, params),
  ),
  "process/terminate": exec((params: Parameters<typeof processes.terminateProcess>[1], context) =>
    processes.terminateProcess(context.processes, params),
  ),
  "process/resize": exec((params: Parameters<typeof processes.resizeProcess>[1], context) =>
    processes.resizeProcess(context.processes, params),
  ),
  "process/closeStdin": exec((params: Parameters<typeof processes.closeProcessStdin>[1], context) =>
    processes.closeProcessStdin(context.processes, params),
  ),
  "fs/readFile": filesystem(files.readFile),
  "fs/writeFile": filesystem(files.writeFile),
  "fs/createDirectory": filesystem(files.createDirectory),
  "fs/getMetadata": filesystem(files.getMetadata),
  "fs/canonicalize": filesystem(files.canonicalize),
  "fs/readDirectory": filesystem(files.readDirectory),
  "fs/walk": filesystem(walk),
  "fs/remove": filesystem(files.remove),
  "fs/copy": filesystem(copy),
  "fs/open": filesystem(files.openFile),
  "fs/readBlock": filesystem(files.readBlock),
  "fs/close": filesystem(files.closeFile),
  "http/request": of("http", httpRequest),
} as const;
