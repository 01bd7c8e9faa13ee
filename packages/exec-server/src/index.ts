/** The client side. Nothing here reaches node-pty: servers are under `/server`, the in-process host under `/local-host`. */
export { HostTransportError } from "./client/errors.js";
export { connectExecServer, ExecClient, type ExecClientOptions, execClientOver } from "./client/exec-client.js";
