/**
 * Arguments of function calls are held against what the tool's own specification says: each departure is one error for
 * the model that names the place, and nothing has happened by then. It is the compiled validator that sees them: with
 * it switched off, the same arguments are taken, or fail without words for the model.
 */
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ValuesOf } from "../../protocol/test/json-schema/arbitrary.js";
import { type Breakage, breakages } from "../../protocol/test/json-schema/breakages.js";
import type { Schema, SchemaSource } from "../../protocol/test/json-schema/schema-source.js";
import { without } from "../../protocol/test/validators/switches.js";
import {
  createExecCommandTool,
  createRequestUserInputTool,
  createUpdatePlanTool,
  createViewImageTool,
  createWriteStdinTool,
  type FunctionToolSpec,
  RespondToModel,
  type Tool,
  UnifiedExec,
} from "../src/index.js";
import { nodeFileSystem } from "../src/node/index.js";
import { callContext, FakeProcessHost, functionToolCall, ManualClock, ManualPause } from "../src/testing/index.js";

vi.mock("../../protocol/src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});

/** The schema that each tool's arguments are held against. */
const schemas: Readonly<Record<string, string>> = {
  exec_command: "ExecCommandArgs",
  write_stdin: "WriteStdinArgs",
  update_plan: "UpdatePlanArgs",
  view_image: "ViewImageArgs",
  request_user_input: "RequestUserInputArgs",
};

/** What a tool did that can be seen from outside. */
const deeds: string[] = [];
const host = new FakeProcessHost();
host.onStart = () => deeds.push("a process was started");
const exec = new UnifiedExec({
  host,
  clock: new ManualClock(),
  pause: new ManualPause(),
  emit: (_, event) => deeds.push(event.type),
  maxPollMs: undefined,
  network: undefined,
  random: undefined,
});
const shell = { name: "bash", path: "/bin/bash" } as const;

const tools: readonly Tool[] = [
  createExecCommandTool({
    exec,
    authorizer: {
      authorize: async () => {
        deeds.push("a permission was asked for");
        return { type: "refused", message: "no" };
      },
    },
    defaultShell: shell,
    resolveShell: async () => shell,
    loginAllowed: true,
    additionalPermissions: false,
    environment: () => ({}),
    resolvePath: resolve,
  }),
  createWriteStdinTool({ exec }),
  createUpdatePlanTool(),
  createViewImageTool({
    files: nodeFileSystem,
    resolvePath: resolve,
    modelSeesImages: () => true,
    viewed: () => deeds.push("an image was looked at"),
    prepare: async () => "data:,",
  }),
  createRequestUserInputTool({
    modes: ["default"],
    prompter: {
      ask: async () => {
        deeds.push("a question was asked");
        return undefined;
      },
    },
  }),
];

/** The specification says `number`, as models know it; what is meant are counts. */
function withCounts(parameters: unknown): Schema {
  const counts = (_: string, value: unknown): unknown =>
    (value as { type?: unknown } | null)?.type === "number" ? { type: "integer", minimum: 0, maximum: 1000 } : value;
  return JSON.parse(JSON.stringify(parameters, counts)) as Schema;
}

/** The specification of one tool as a source of schemas: it refers to no other. */
function sourceOf(parameters: Schema): SchemaSource {
  return {
    names: () => ["arguments"],
    named: () => parameters,
    resolve: (reference) => {
      throw new RangeError(`${reference} leads out of the specification`);
    },
  };
}

async function refusal(tool: Tool, args: unknown): Promise<unknown> {
  const context = callContext();
  const error = await tool.run(functionToolCall(tool.spec.name, args), context).then(
    (output) => `answered ${JSON.stringify(output.body)}`,
    (thrown: unknown) => thrown,
  );
  for (const event of context.events) deeds.push(event.type);
  return error;
}

/** The reference's own words for a question without options; they name no place. */
const NO_OPTIONS = "request_user_input requires non-empty options for every question";

/** `… expected a string at questions[0].id` */
function isAbout(message: string, { what, path }: Breakage): boolean {
  if (message === NO_OPTIONS) return what === "missing member" && path.endsWith("].options");
  if (!message.startsWith("failed to parse function arguments: ")) return false;
  return path === "" ? message.endsWith("expected an object") : message.endsWith(` at ${path}`);
}

test("every function tool is walked", () => {
  expect(tools.map(({ spec }) => spec.name)).toEqual(Object.keys(schemas));
});

/** Broken arguments that are not refused, or not with their place. */
async function complaints(tool: Tool, broken: readonly Breakage[]): Promise<string[]> {
  const found: string[] = [];
  for (const breakage of broken) {
    const error = await refusal(tool, breakage.value);
    if (!(error instanceof RespondToModel) || !isAbout(error.message, breakage))
      found.push(`${breakage.what} at ${breakage.path}: ${String(error)}`);
  }
  return [...new Set(found)];
}

describe.each(tools.map((tool) => [tool.spec.name, tool] as const))("%s", (name, tool) => {
  const parameters = withCounts((tool.spec as FunctionToolSpec).parameters) as { readonly properties: object };
  const source = sourceOf(parameters);
  const valid = fc.sample(new ValuesOf(source).named("arguments"), { numRuns: 20, seed: 1 });
  const broken = valid.flatMap((value) => [...breakages(value, parameters, source)]);

  test("refuses arguments that its specification does not allow, with the place", async () => {
    const properties = Object.keys(parameters.properties);
    expect(properties.filter((name) => !broken.some(({ path }) => path.startsWith(name)))).toEqual([]);
    deeds.length = 0;
    expect(await complaints(tool, broken)).toEqual([]);
    expect(deeds).toEqual([]);
  });

  test("does not do without its validator", async () => {
    const unnoticed = await without(schemas[name] as string, () => complaints(tool, broken));
    expect(unnoticed).not.toEqual([]);
    deeds.length = 0;
  });

  test.each(["", "{", "[]", "null", "5"])("refuses the arguments %j", async (text) => {
    deeds.length = 0;
    expect(await refusal(tool, text)).toMatchObject({
      name: "RespondToModel",
      message: expect.stringMatching(/^failed to parse function arguments: /),
    });
    expect(deeds).toEqual([]);
  });
});
