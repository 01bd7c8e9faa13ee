/** What the model is shown and what can be called: one list. */
import { expect, test } from "vitest";
import { ToolRegistry } from "./registry.js";
import type { Tool, ToolExposure } from "./tool.js";

function tool(name: string, exposure: ToolExposure): Tool {
  return {
    spec: { type: "function", name, description: "", strict: false, parameters: {} },
    exposure,
    supportsParallelCalls: true,
    isControl: false,
    accepts: () => true,
    preToolUse: () => undefined,
    withUpdatedInput: (call) => call,
    run: async () => ({ body: "", success: true, postToolUse: undefined }),
  };
}

test("direct tools are shown in the order they came; every tool can be called", () => {
  const tools = [
    tool("b", "direct"),
    tool("later", "deferred"),
    tool("a", "direct-model-only"),
    tool("never shown", "hidden"),
  ];
  const registry = new ToolRegistry(tools);
  expect(registry.specs().map(({ name }) => name)).toEqual(["b", "a"]);
  expect(registry.names()).toEqual(["b", "later", "a", "never shown"]);
  for (const each of tools) expect(registry.find(each.spec.name)).toBe(each);
  expect(registry.find("unheard of")).toBeUndefined();
});

test("two tools of one name are a mistake of whoever builds the list", () => {
  expect(() => new ToolRegistry([tool("a", "direct"), tool("a", "hidden")])).toThrow("two tools are named a");
});
