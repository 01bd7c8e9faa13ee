/**
 * Which requests, replies and notifications a connection understands. The validators are loaded with the first message
 * that needs them, not at start: a client that only says hello does not wait for them.
 */
import { RpcErrorCode } from "@turnkit/protocol";
import { appRequestOrder } from "@turnkit/protocol/app";
import {
  describeIssue,
  type Issue,
  type MethodLookup,
  type MethodValidators,
  RpcError,
  type Validator,
} from "@turnkit/rpc";

export interface MethodTable {
  readonly serves: MethodLookup<MethodValidators>;
  readonly hears: MethodLookup<Validator>;
  readonly calls: MethodLookup<MethodValidators>;
}

let loaded: MethodTable | undefined;
let loading: Promise<void> | undefined;

export function methodTableLoaded(): boolean {
  return loaded !== undefined;
}

export function loadMethodTable(): Promise<void> {
  loading ??= import("./validated-methods.js").then(({ validatedMethods }) => {
    loaded = validatedMethods;
  });
  return loading;
}

const anything: Validator = () => [];

/**
 * Requests are let through here and checked when they are admitted, so that refusals of every kind leave in the order of
 * their requests. Before the validators are there, only a plainly valid `initialize` gets this far (see the gate).
 */
export const methodTable: MethodTable = {
  serves: (method) => ({ params: anything, result: loaded?.serves(method)?.result ?? anything }),
  hears: (method) => loaded?.hears(method),
  calls: (method) => loaded?.calls(method),
};

/** @throws {RpcError} a method nobody knows, or params that are not of its type */
export function checkRequest(method: string, params: unknown): void {
  if (!loaded) return;
  const validators = loaded.serves(method);
  if (!validators) throw unknownMethod(method);
  const issues = validators.params(params);
  if (issues.length > 0) throw invalidParams(issues, params);
}

/** The reply to a method nobody knows: the list of those that exist, in the reference's order. */
function unknownMethod(method: string): RpcError {
  const known = appRequestOrder.map((name) => `\`${name}\``).join(", ");
  return new RpcError(
    RpcErrorCode.invalidRequest,
    `Invalid request: unknown variant \`${method}\`, expected one of ${known}`,
  );
}

function invalidParams(issues: readonly Issue[], params: unknown): RpcError {
  const issue = issues[0] ?? { path: "", message: "is not valid" };
  const words = params == null ? "params is required" : describeIssue("params", issue);
  return new RpcError(RpcErrorCode.invalidRequest, `Invalid request: ${words}`);
}
