/** The configuration file's validator by itself: a program reads its configuration before it does anything else. */
import type { ConfigFile } from "../agent/config-file.js";
import * as generated from "../generated/config-validators.js";
import { checksBy } from "./check.js";
import type { ValidationResult } from "./result.js";

const { check } = checksBy(generated);

export function validateConfigFile(value: unknown): ValidationResult<ConfigFile> {
  const issue = check("ConfigFile", value);
  return issue ? { ok: false, issues: [issue] } : { ok: true, value: value as ConfigFile };
}
