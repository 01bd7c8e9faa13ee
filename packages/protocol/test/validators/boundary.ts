/**
 * A place where messages enter, and the two questions put to it: does it refuse an invalid message with its place, and
 * does it notice when its validator is switched off (see `switches`).
 */
import { expect, test } from "vitest";
import type { SchemaName } from "../../src/validate/index.js";
import { without } from "./switches.js";

export interface Boundary {
  readonly place: string;
  readonly schema: SchemaName;
  /** What is wrong; nothing, when the invalid message is refused with its place and nothing else happens. */
  complaint(): Promise<string | undefined>;
}

const patience = 120_000;
/** A boundary without its validator may never answer. */
const silence = 1000;

export function walk(what: string, boundaries: readonly Boundary[]): void {
  test(`${what}: each invalid message is refused with its place`, { timeout: patience }, async () => {
    const found: string[] = [];
    for (const { place, complaint } of boundaries) {
      const complained = await complaint();
      if (complained !== undefined) found.push(`${place}: ${complained}`);
    }
    expect(found).toEqual([]);
  });

  test(`${what}: no boundary does without its validator`, { timeout: patience }, async () => {
    const needless: string[] = [];
    for (const { place, schema, complaint } of boundaries)
      if ((await without(schema, complaint)) === undefined) needless.push(`${place}: ${schema}`);
    expect(needless).toEqual([]);
  });
}

export const silent = Symbol("silent");

/** The value, or `silent` when it does not come: only ever so where a validator is switched off. */
export async function inTime<Value>(promise: Promise<Value>): Promise<Value | typeof silent> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof silent>((resolve) => {
    timer = setTimeout(() => resolve(silent), silence);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The error of a promise, or what it gave instead. */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return inTime(
    promise.then(
      (value) => `took ${JSON.stringify(value)}`,
      (error: unknown) => error,
    ),
  );
}

export function entries<Names extends object>(table: Readonly<Record<string, Names>>): [string, Names][] {
  return Object.entries(table);
}
