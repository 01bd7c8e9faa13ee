/** Errors of authorization servers in words that hold no secret. */
import { OAuthError, ServerError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { mcpErrorText } from "../errors.js";

export function oauthErrorText(error: unknown): string {
  // What was not a proper answer is quoted there as it is, with whatever it holds.
  if (error instanceof ServerError) return error.message.replace(/ Raw body:[\s\S]*$/, "").split("\n")[0] ?? "";
  if (error instanceof OAuthError)
    return error.message === "" ? error.errorCode : `${error.errorCode}: ${error.message}`;
  return mcpErrorText(error);
}
