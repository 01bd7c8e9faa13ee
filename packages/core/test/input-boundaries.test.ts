/**
 * What enters a session is validated: inputs, settings, and the items a model's server streams. Each is refused with
 * its place and leaves nothing behind; with its validator switched off, the same message is taken.
 */
import { describe, expect, test, vi } from "vitest";
import type { Breakage } from "../../protocol/test/json-schema/breakages.js";
import { samplesOf } from "../../protocol/test/validators/complaints.js";
import { without } from "../../protocol/test/validators/switches.js";
import { createSession, InvalidRequestError, ModelError } from "../src/index.js";
import { modelEvent } from "../src/model/stream-events.js";
import { previewSettings } from "../src/session/thread-settings.js";
import { FakeModel } from "../src/testing/index.js";
import { settings } from "./helpers.js";

vi.mock("../../protocol/src/generated/validators.js", async (original) => {
  const { withSwitches } = await import("../../protocol/test/validators/switches.js");
  return withSwitches(await original());
});

/** `item.content[0].text must be string`; a missing tag of a form may be reported where the form is. */
function isAbout(message: string, label: string, { path, what }: Breakage): boolean {
  const place = path === "" ? label : `${label}.${path}`;
  if (message.includes(`${place} `)) return true;
  const cut = Math.max(place.lastIndexOf("."), place.lastIndexOf("["));
  return (
    what === "missing member" && message.includes(`${place.slice(0, cut)} `) && message.includes(place.slice(cut + 1))
  );
}

async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    return `took it: ${JSON.stringify(await run())}`;
  } catch (error) {
    return error;
  }
}

async function newSession() {
  return createSession({ modelClient: new FakeModel(), settings: settings("/") });
}

describe("inputs", () => {
  const { broken } = samplesOf("TurnInputRequest", 10);

  test("are refused with their place; the session is as before", async () => {
    await using session = await newSession();
    const events: string[] = [];
    session.subscribe(({ msg }) => events.push(msg.type));
    const before = JSON.stringify(session.snapshot());
    const found: string[] = [];
    for (const breakage of broken) {
      const error = await errorOf(() => session.submit(breakage.value as never, "StartOrSteer"));
      if (!(error instanceof InvalidRequestError) || !isAbout(error.message, "request", breakage))
        found.push(`${breakage.what} at ${breakage.path}: ${String(error)}`);
    }
    expect(found).toEqual([]);
    expect(broken.length).toBeGreaterThan(50);
    expect({ events, snapshot: JSON.stringify(session.snapshot()) }).toEqual({ events: [], snapshot: before });
  });

  test("are taken, or fail without a place, when nothing validates them", async () => {
    await using session = await newSession();
    const error = await without("TurnInputRequest", () =>
      errorOf(() => session.submit({ input: { UserInput: { content: 5 } } } as never, "StartOrSteer")),
    );
    expect(error).not.toBeInstanceOf(InvalidRequestError);
  });
});

describe("settings", () => {
  const features = { defaultModeQuestions: false };
  const current = settings("/");
  const preview = (overrides: unknown) => previewSettings(current, overrides as never, features);
  const { broken } = samplesOf("ThreadSettingsOverrides", 10);

  test("are refused with their place", async () => {
    const before = structuredClone(current);
    const found: string[] = [];
    for (const breakage of broken) {
      const error = await errorOf(() => preview(breakage.value));
      if (!(error instanceof InvalidRequestError) || !isAbout(error.message, "thread_settings", breakage))
        found.push(`${breakage.what} at ${breakage.path}: ${String(error)}`);
    }
    expect(found).toEqual([]);
    expect(current).toEqual(before);
  });

  test("are taken when nothing validates them", async () => {
    const taken = await without("ThreadSettingsOverrides", () => preview({ service_tier: 5 }));
    expect(taken).toMatchObject({ service_tier: 5 });
  });
});

describe("streamed items", () => {
  const send = (item: unknown) => modelEvent(JSON.stringify({ type: "response.output_item.done", item }));
  const acted = new Set(["message", "reasoning", "function_call", "custom_tool_call", "local_shell_call"]);
  const kindOf = ({ value }: Breakage) => (value as { type?: string } | null)?.type ?? "";
  const broken = samplesOf("ResponseItem", 200).broken.filter((breakage) => acted.has(kindOf(breakage)));

  test("of kinds that are acted on are refused with their place", async () => {
    const found: string[] = [];
    for (const breakage of broken) {
      const error = await errorOf(() => send(breakage.value));
      if (!(error instanceof ModelError) || !isAbout(error.message, "item", breakage))
        found.push(`${kindOf(breakage)}, ${breakage.what} at ${breakage.path}: ${String(error)}`);
    }
    expect(found).toEqual([]);
    expect(new Set(broken.map(kindOf))).toEqual(acted);
  });

  test("are taken when nothing validates them", async () => {
    const item = { type: "message", role: 5, content: [] };
    expect(await errorOf(() => send(item))).toBeInstanceOf(ModelError);
    expect(await without("ResponseItem", () => send(item))).toEqual({ type: "itemDone", item });
  });
});
