/** Compiled validators that can be switched off one by one: what a boundary does without its validator. */
import type { CompiledValidator } from "../../src/validate/compiled.js";

const off = new Set<string>();

/** The generated module with a switch before each validator. Validators inside of others are not affected. */
export function withSwitches(generated: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(generated).map(([name, value]) => [
      name,
      typeof value === "function" ? switched(name, value as CompiledValidator) : value,
    ]),
  );
}

function switched(name: string, validator: CompiledValidator): CompiledValidator {
  const run: CompiledValidator = (value) => {
    const valid = off.has(name) || validator(value);
    run.errors = valid ? null : (validator.errors ?? null);
    return valid;
  };
  return run;
}

/** Runs with one validator that accepts everything. */
export async function without<Result>(name: string, run: () => Result | Promise<Result>): Promise<Result> {
  off.add(name);
  try {
    return await run();
  } finally {
    off.delete(name);
  }
}
