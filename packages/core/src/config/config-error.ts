/** A configuration that cannot be used: which file, which line, which key, which rule. */

export interface ConfigProblem {
  readonly file: string;
  /** Counted from 1; undefined: not known. */
  readonly line: number | undefined;
  /** Dotted: `model_providers.local.base_url`. Empty: the file as a whole. */
  readonly key: string;
  readonly rule: string;
}

export function formatProblem(problem: ConfigProblem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}: ${problem.key === "" ? "" : `${problem.key} `}${problem.rule}`;
}

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problem: ConfigProblem) {
    super(formatProblem(problem));
  }
}
