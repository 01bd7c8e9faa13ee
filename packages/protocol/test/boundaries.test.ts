/**
 * Everything that enters through this package is validated, and each validator is needed: switched off, the boundary
 * it stands at takes what it must refuse.
 */
import { expect, test, vi } from "vitest";
import { AppMethods } from "../src/app/index.js";
import { ExecMethods } from "../src/exec/index.js";
import {
  type ReadResult,
  readEventMsg,
  readResponseItem,
  readSessionMeta,
  readTurnContext,
  readUserInput,
} from "../src/legacy/index.js";
import { collectRollout } from "../src/rollout/index.js";
import { encodeUtf8 } from "../src/text/index.js";
import {
  formatIssue,
  methodValidators,
  type SchemaName,
  type Validator,
  validator,
  validatorNames,
} from "../src/validate/index.js";
import { complaintsAbout, samplesOf } from "./validators/complaints.js";
import { without } from "./validators/switches.js";

vi.mock("../src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("./validators/switches.js");
  return withSwitches(await original());
});

const samples = process.env.TURNKIT_SOAK === "1" ? 50 : 1;
const patience = 120_000;

type Names = { readonly params?: SchemaName; readonly result?: SchemaName };
type Tables = Readonly<Record<string, Readonly<Record<string, Names>>>>;

interface Boundary {
  readonly place: string;
  readonly schema: SchemaName;
  /** What is wrong here; nothing, when the validator does its work. */
  complaints(): string[] | Promise<string[]>;
}

/** Both directions of both protocols, params and results, through the look-up that connections use. */
function methodBoundaries(family: string, tables: Tables): Boundary[] {
  return Object.values(tables).flatMap((table) =>
    Object.entries(table).flatMap(([method, names]) =>
      (["params", "result"] as const).flatMap((part) => {
        const schema = names[part];
        if (schema === undefined) return [];
        const found = methodValidators(table as Record<string, { params: SchemaName }>)(method)?.[part] as Validator;
        const complaints = () => complaintsAbout(found, samplesOf(schema, samples));
        return [{ place: `${family} ${method} ${part}`, schema, complaints }];
      }),
    ),
  );
}

/** Reads values that are invalid today and were invalid ever. */
function reader(
  read: (value: unknown) => ReadResult<unknown>,
  schema: SchemaName,
  invalid: unknown,
  says: string,
): Boundary {
  return {
    place: read.name,
    schema,
    complaints() {
      const result = read(invalid);
      if (result.ok) return ["takes it"];
      const words = result.issues.map((issue) => formatIssue(issue));
      return JSON.stringify(words) === JSON.stringify([says]) ? [] : words;
    },
  };
}

/** Session files: one line is refused with its reason, its neighbours are read. */
const rolloutLines: Boundary = {
  place: "lines of session files",
  schema: "RolloutLine",
  async complaints() {
    const lines = [
      '{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"first"}}',
      '{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":5}}',
      '{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"last"}}',
    ];
    async function* bytes() {
      for (const line of lines) yield encodeUtf8(`${line}\n`);
    }
    const records = await collectRollout(bytes());
    const seen = records.map((record) => (record.kind === "loss" ? `${record.line}: ${record.reason}` : record.kind));
    const expected = ["line", "2: payload.message must be string", "line"];
    return JSON.stringify(seen) === JSON.stringify(expected) ? [] : seen;
  },
};

const head = { id: "thread", timestamp: "t", cwd: "/", originator: "cli", cli_version: 5 };

const boundaries: readonly Boundary[] = [
  ...methodBoundaries("app", AppMethods),
  ...methodBoundaries("exec", ExecMethods as unknown as Tables),
  rolloutLines,
  reader(readUserInput, "UserInput", { type: "text", text: 5 }, "text must be string"),
  reader(readResponseItem, "ResponseItem", { type: "message", role: "user" }, "content is required"),
  reader(readEventMsg, "EventMsg", { type: "agent_message" }, "message is required"),
  reader(readSessionMeta, "SessionMeta", head, "cli_version must be string"),
  reader(readTurnContext, "TurnContextItem", { cwd: "/" }, "approval_policy is required"),
];

test("the walk is whole", () => {
  const count = (text: string): number => boundaries.filter(({ place }) => place.startsWith(text)).length;
  const entries = (tables: object): number =>
    Object.values(tables)
      .flatMap((table: object) => Object.values(table))
      .reduce((sum: number, names: Names) => sum + Number("params" in names) + Number("result" in names), 0);
  expect([count("app "), count("exec ")]).toEqual([entries(AppMethods), entries(ExecMethods)]);
  expect(boundaries.length).toBeGreaterThan(240);
});

test("every boundary takes valid values and answers each invalid one with one issue and its place", {
  timeout: patience,
}, async () => {
  const found: string[] = [];
  for (const { place, complaints } of boundaries)
    found.push(...(await complaints()).map((complaint) => `${place} ${complaint}`));
  expect(found).toEqual([]);
});

test("no boundary does without its validator", { timeout: patience }, async () => {
  const needless: string[] = [];
  for (const { place, schema, complaints } of boundaries)
    if ((await without(schema, complaints)).length === 0) needless.push(`${place}: ${schema}`);
  expect(needless).toEqual([]);
});

test("every validator of the package refuses what its schema refuses, with the place", { timeout: patience }, () => {
  const found = validatorNames.flatMap((name) =>
    complaintsAbout(validator(name), samplesOf(name, samples)).map((complaint) => `${name} ${complaint}`),
  );
  expect(found).toEqual([]);
  const broken = validatorNames.reduce((sum, name) => sum + samplesOf(name, samples).broken.length, 0);
  expect(broken).toBeGreaterThan(4000);
});
