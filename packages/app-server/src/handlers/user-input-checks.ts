/** What every submission of user input is checked for before a thread sees it. Pure. */
import { MAX_USER_INPUT_TEXT_CHARS, RpcErrorCode } from "@turnkit/protocol";
import type { AppUserInput } from "@turnkit/protocol/app";
import { RpcError } from "@turnkit/rpc";

export function refuseRemoteImages(input: readonly AppUserInput[]): void {
  if (input.some((item) => item.type === "image" && /^https?:\/\//i.test(item.url))) {
    throw new RpcError(
      RpcErrorCode.invalidRequest,
      "remote image URLs are not supported; use an inline data URL instead",
    );
  }
}

/** Unicode scalar values, not UTF-16 units: a surrogate pair counts once. */
export function countScalars(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const next = unit >= 0xd800 && unit <= 0xdbff ? text.charCodeAt(index + 1) : 0;
    if (next >= 0xdc00 && next <= 0xdfff) index += 1;
    count += 1;
  }
  return count;
}

export function refuseOversize(input: readonly AppUserInput[]): void {
  const actual = input.reduce((sum, item) => (item.type === "text" ? sum + countScalars(item.text) : sum), 0);
  if (actual <= MAX_USER_INPUT_TEXT_CHARS) return;
  throw new RpcError(
    RpcErrorCode.invalidParams,
    `Input exceeds the maximum length of ${MAX_USER_INPUT_TEXT_CHARS} characters.`,
    {
      input_error_code: "input_too_large",
      max_chars: MAX_USER_INPUT_TEXT_CHARS,
      actual_chars: actual,
    },
  );
}
