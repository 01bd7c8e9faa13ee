/** The method table with its validators. Heavy: loaded lazily by the method table. */
import { AppMethods, appRequestOrder } from "@turnkit/protocol/app";
import { methodValidators } from "@turnkit/protocol/validate";
import type { MethodValidators, Validator } from "@turnkit/rpc";
import { withModeAliases } from "./mode-aliases.js";

const known = new Set<string>(appRequestOrder);
const anything: Validator = () => [];
/** A method of the protocol that this server does not offer: let through, so that its refusal follows the handshake. */
const unsupported: MethodValidators = { params: anything, result: anything };

const serves = methodValidators(AppMethods.clientRequests);
const calls = methodValidators(AppMethods.serverRequests);
const hears = methodValidators(AppMethods.clientNotifications);

export const validatedMethods = {
  serves: (method: string): MethodValidators | undefined => {
    const validators = serves(method);
    if (!validators) return known.has(method) ? unsupported : undefined;
    return { params: (value) => validators.params(withModeAliases(value)), result: validators.result };
  },
  hears: (method: string): Validator | undefined => hears(method)?.params,
  calls,
};
