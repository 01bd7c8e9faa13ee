/**
 * What people and programs hand to a session beside its messages is validated: configuration, hook declarations, what
 * hooks write, what a model's server streams, scripts. Each is refused with its place; with its validator switched off,
 * the same is taken.
 */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SchemaName } from "@turnkit/protocol/validate";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Breakage } from "../../protocol/test/json-schema/breakages.js";
import { samplesOf } from "../../protocol/test/validators/complaints.js";
import { without } from "../../protocol/test/validators/switches.js";
import { loadConfig } from "../src/config/index.js";
import { readHooksFile, readHooksTable } from "../src/hooks/hook-config.js";
import { HOOK_EVENTS } from "../src/hooks/hook-event.js";
import { readHookOutput } from "../src/hooks/hook-output.js";
import { modelEvent } from "../src/model/stream-events.js";
import { loadScript } from "../src/scripted-model/load-script.js";

vi.mock("../../protocol/src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});
vi.mock("../../protocol/src/generated/config-validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "file-boundaries-"));
});
afterAll(() => removeFolder(home));

interface Boundary {
  readonly schema: SchemaName;
  /** Before the place in a message. */
  readonly label: string;
  /** What is said of the value; undefined: it is taken. */
  refusal(value: unknown): Promise<string | undefined>;
  /** As the place is spelt here. */
  readonly spell?: (path: string) => string;
  /** A value that is taken by mistake when nothing validates it. */
  readonly invalid: unknown;
}

async function said(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** `a["b c"][0]` as `a.b c.0`. */
const dotted = (place: string): string =>
  place.replace(/\[("(?:[^"\\]|\\.)*"|\d+)\]/g, (_, part: string) => `.${JSON.parse(part)}`).replace(/^\./, "");

const fileError = (declared: { readonly errors: readonly { readonly message: string }[] }): string | undefined =>
  declared.errors[0]?.message;

const boundaries: readonly Boundary[] = [
  {
    schema: "ConfigFile",
    label: "the command line: ",
    refusal: (value) => said(() => loadConfig({ home, overrides: value as Record<string, unknown> })),
    spell: dotted,
    invalid: { model: 5 },
  },
  {
    schema: "HooksFile",
    label: "",
    async refusal(value) {
      await writeFile(path.join(home, "hooks.json"), JSON.stringify(value));
      return fileError(await readHooksFile(home, "user"));
    },
    invalid: { unknown: 5 },
  },
  {
    schema: "HooksTable",
    label: "hooks.",
    refusal: async (value) => fileError(readHooksTable(value, "/config.toml", "user")),
    invalid: { Unknown: [] },
  },
  {
    schema: "ScriptFile",
    label: "script.json: ",
    refusal: (value) => said(() => loadScript(JSON.stringify(value), "script.json")),
    invalid: { responses: [{ status: 200 }] },
  },
];

/** The place and some words about it; the missing tag of a form may be reported where the form is. */
function isAbout(message: string, { label, spell = String }: Boundary, { path: place, what }: Breakage): boolean {
  if (message.startsWith(`${label}${spell(place)} `) && !message.endsWith(" ")) return true;
  const cut = Math.max(place.lastIndexOf("."), place.lastIndexOf("["));
  return what === "missing member" && message.startsWith(`${label}${spell(place.slice(0, Math.max(cut, 0)))}`);
}

describe.each(boundaries)("$schema", (boundary) => {
  const inside = samplesOf(boundary.schema, 20).broken.filter((breakage) => breakage.path !== "");

  test("each invalid one is refused with its place", async () => {
    const found: string[] = [];
    for (const breakage of inside) {
      const message = await boundary.refusal(breakage.value);
      if (message === undefined || !isAbout(message, boundary, breakage))
        found.push(`${breakage.what} at ${breakage.path}: ${message ?? "took it"}`);
    }
    expect(found).toEqual([]);
    expect(inside.length).toBeGreaterThan(20);
  });

  test("is taken when nothing validates it", async () => {
    expect(await boundary.refusal(boundary.invalid)).toBeDefined();
    expect(await without(boundary.schema, () => boundary.refusal(boundary.invalid))).toBeUndefined();
  });
});

describe("ModelStreamEvent", () => {
  const delta = { type: "response.output_text.delta", item_id: "a", delta: 5 };

  test("an invalid one is refused with its place, and taken when nothing validates it", async () => {
    const send = () => modelEvent(JSON.stringify(delta));
    expect(send).toThrow(/: response\.output_text\.delta: delta must be string$/);
    expect(await without("ModelStreamEvent", send)).toMatchObject({ delta: 5 });
  });
});

describe("HookOutput", () => {
  const read = () =>
    readHookOutput(HOOK_EVENTS.stop, {
      type: "exited",
      code: 0,
      stdout: JSON.stringify({ decision: "block", reason: "again", unknown: true }),
      stderr: "",
    });

  test("an invalid one fails its hook, and is acted on when nothing validates it", async () => {
    expect(read()).toMatchObject({ status: "failed" });
    expect(await without("HookOutput", read)).toMatchObject({ status: "blocked", blockReason: "again" });
  });
});
