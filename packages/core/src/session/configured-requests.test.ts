/** What the configuration makes of a request to the model. */
import type { ThreadSettings } from "@turnkit/protocol";
import { describe, expect, test } from "vitest";
import { start } from "../../test/session-rig.js";
import { configOfText } from "../config/index.js";
import { say } from "../testing/index.js";
import type { SessionOptions } from "./session-options.js";

/** The first request of a session with this configuration. */
async function requestWith(toml: string, model = "gpt-5.4", changes: Partial<ThreadSettings> = {}) {
  const { modelOverrides, toldSections, personality, serviceTier } = configOfText(toml, "config.toml");
  const options = { modelOverrides, toldSections } satisfies Partial<SessionOptions>;
  const settings = {
    model,
    model_provider_id: "p",
    cwd: "/",
    approval_policy: "never" as const,
    sandbox_policy: { type: "danger-full-access" as const },
    collaboration_mode: {
      mode: "plan" as const,
      settings: { model, reasoning_effort: null, developer_instructions: "PLANNING" },
    },
    personality,
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
    ...changes,
  };
  const rig = await start([say("done")], { ...options, settings });
  await rig.say("hello");
  await rig.next("task_complete");
  const { snapshot } = rig.session;
  const [request] = rig.model.requests;
  await rig.session.shutdown();
  return { request: request!, told: JSON.stringify(request!.input), snapshot };
}

describe("what the model is told of its surroundings", () => {
  test.each([
    ["include_environment_context", "<environment_context>"],
    ["include_permissions_instructions", "<permissions instructions>"],
    ["include_collaboration_mode_instructions", "<collaboration_mode>"],
  ])("%s", async (key, tag) => {
    expect((await requestWith("")).told).toContain(tag);
    expect((await requestWith(`${key} = true`)).told).toContain(tag);
    const { told } = await requestWith(`${key} = false`);
    expect(told).not.toContain(tag);
    expect(told).toContain("hello");
  });

  test("may be nothing but what was said", async () => {
    const keys = ["environment_context", "permissions_instructions", "collaboration_mode_instructions"];
    const { request } = await requestWith(keys.map((key) => `include_${key} = false`).join("\n"));
    expect(request.input).toMatchObject([{ role: "user", content: [{ text: "hello" }] }]);
  });

  test("is not told when it changes either", async () => {
    const { toldSections } = configOfText("include_permissions_instructions = false", "config.toml");
    const rig = await start([say("one"), say("two")], { toldSections });
    await rig.say("first");
    await rig.next("task_complete");
    await rig.say("second", { thread_settings: { sandbox_policy: { type: "read-only" } } });
    await rig.next("task_complete", 2);
    expect(JSON.stringify(rig.model.requests[1]!.input)).not.toContain("<permissions");
    await rig.session.shutdown();
  });
});

describe("what the model is asked for", () => {
  test("verbosity is the configured one where the model takes it", async () => {
    expect((await requestWith("")).request.verbosity).toBe("low");
    expect((await requestWith('model_verbosity = "high"')).request.verbosity).toBe("high");
    expect((await requestWith('model_verbosity = "high"', "other")).request.verbosity).toBe("high");
    expect((await requestWith("", "other")).request.verbosity).toBeUndefined();
  });

  test("thoughts of a model that is not known, once the person says that it has some", async () => {
    expect((await requestWith("", "other")).request.reasoning).toBeUndefined();
    expect(
      (await requestWith("model_supports_reasoning_summaries = false", "other")).request.reasoning,
    ).toBeUndefined();
    const key = "model_supports_reasoning_summaries = true";
    expect((await requestWith(key, "other")).request.reasoning).toEqual({ effort: undefined, summary: "auto" });
    expect((await requestWith(key, "other", { reasoning_summary: "none" })).request.reasoning).toMatchObject({
      summary: "none",
    });
    expect((await requestWith(key)).request.reasoning).toEqual({ effort: "medium", summary: undefined });
  });

  test.each([
    ["gpt-5.2", { effort: "medium", summary: "auto" }, "low"],
    ["gpt-5.4", { effort: "medium", summary: undefined }, "low"],
    ["gpt-5.4-mini", { effort: "medium", summary: undefined }, "medium"],
    ["gpt-5.6-sol", { effort: "low", summary: undefined }, "low"],
  ])("%s is asked as its makers mean it", async (model, reasoning, verbosity) => {
    expect((await requestWith("", model)).request).toMatchObject({ reasoning, verbosity });
  });

  test("the older name of a service tier", async () => {
    expect((await requestWith('service_tier = "fast"')).request.serviceTier).toBe("priority");
    expect((await requestWith('service_tier = "flex"')).request.serviceTier).toBe("flex");
    expect((await requestWith("")).request.serviceTier).toBeUndefined();
  });

  test("the manner the person chose, and none for instructions of their own", async () => {
    const manner = async (toml: string) => (await requestWith(toml)).request.instructions;
    const [none, friendly, pragmatic] = [
      await manner('personality = "none"'),
      await manner('personality = "friendly"'),
      await manner('personality = "pragmatic"'),
    ];
    expect(await manner("")).toBe(pragmatic);
    expect(new Set([none, friendly, pragmatic]).size).toBe(3);
    expect([friendly.startsWith(none), pragmatic.startsWith(none)]).toEqual([true, true]);
    const rig = await start([say("x")], { baseInstructions: "MINE" });
    await rig.say("hello");
    await rig.next("task_complete");
    expect(rig.model.requests[0]!.instructions).toBe("MINE");
    await rig.session.shutdown();
  });
});
