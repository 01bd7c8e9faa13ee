/** What is wrong with a validator, seen from its schema: valid values refused, invalid ones taken, unclear issues. */
import fc from "fast-check";
import { formatIssue, type Issue, memberPath, type SchemaName, type Validator } from "../../src/validate/index.js";
import { ValuesOf } from "../json-schema/arbitrary.js";
import { type Breakage, breakages } from "../json-schema/breakages.js";
import { ourSchemas } from "../json-schema/schema-source.js";

const ours = ourSchemas();
const values = new ValuesOf(ours);

export interface Samples {
  readonly valid: readonly unknown[];
  readonly broken: readonly Breakage[];
}

const made = new Map<string, Samples>();

/** The same values in every run; `count` valid ones and what can be broken in them. */
export function samplesOf(name: SchemaName, count: number): Samples {
  const known = made.get(name);
  if (known) return known;
  const valid = fc.sample(values.named(name), { numRuns: count, seed: 1 }).map(asSent);
  const broken = valid.flatMap((value) => [...breakages(value, ours.named(name), ours)]);
  const samples = { valid, broken };
  made.set(name, samples);
  return samples;
}

function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Whether the issue names the place. A missing tag of an externally tagged form is reported where the form is. */
function names(issue: Issue, { path, what }: Breakage): boolean {
  if (issue.path === path) return true;
  const name = /[^.\][]+$/.exec(path)?.[0] ?? "";
  return what === "missing member" && memberPath(issue.path, name) === path && issue.message.includes(name);
}

export function complaintsAbout(validator: Validator, { valid, broken }: Samples): string[] {
  const refused = valid.flatMap((value) => {
    const issues = validator(value);
    return issues.length > 0 ? [`refuses ${JSON.stringify(value)}: ${JSON.stringify(issues)}`] : [];
  });
  const taken = broken.flatMap((breakage) => {
    const issues = validator(breakage.value);
    const [issue] = issues;
    if (!issue) return [`takes a ${breakage.what} at "${breakage.path}"`];
    if (issues.length > 1) return [`has ${issues.length} issues for one ${breakage.what}`];
    if (issue.message === "") return [`has no words for a ${breakage.what} at "${breakage.path}"`];
    return names(issue, breakage) ? [] : [`says "${formatIssue(issue)}" of a ${breakage.what} at "${breakage.path}"`];
  });
  return [...refused, ...taken];
}
