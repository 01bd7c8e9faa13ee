/** Runs a call of the session and gives its failures the protocol's codes. */
import { RpcErrorCode } from "@turnkit/protocol";
import { RpcError } from "@turnkit/rpc";

/** By name: core is loaded lazily, and its classes are not needed to tell them apart. */
const refusals = new Set([
  "InvalidRequestError",
  "ThreadNotFoundError",
  "SessionInUseError",
  "UnreadableThreadError",
  "QueueError",
]);

/** `prefix` says what failed, for errors that are no refusal of the request itself. */
export async function sessionCall<Result>(prefix: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    const name = error instanceof Error ? error.name : "";
    if (refusals.has(name)) throw new RpcError(RpcErrorCode.invalidRequest, words);
    if (name === "ConfigError")
      throw new RpcError(RpcErrorCode.invalidRequest, `failed to load configuration: ${words}`);
    if (name === "McpError" && words.startsWith("required MCP servers"))
      throw new RpcError(
        RpcErrorCode.internalError,
        `error creating thread: Fatal error: Failed to initialize session: ${words}`,
      );
    throw new RpcError(RpcErrorCode.internalError, `${prefix}: ${words}`);
  }
}
