/** What validating gives back. */
import type { Issue } from "./issue.js";

export type ValidationResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly Issue[] };
