/**
 * Which tools a turn has: the list the model is shown and the lookup of a call are the same fact.
 */
import type { Tool, ToolSpec } from "./tool.js";

export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: Iterable<Tool>) {
    for (const tool of tools) {
      if (this.#tools.has(tool.spec.name)) throw new Error(`two tools are named ${tool.spec.name}`);
      this.#tools.set(tool.spec.name, tool);
    }
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** The specifications sent to the model, in registration order. */
  specs(): readonly ToolSpec[] {
    return [...this.#tools.values()]
      .filter((tool) => tool.exposure === "direct" || tool.exposure === "direct-model-only")
      .map((tool) => tool.spec);
  }

  names(): readonly string[] {
    return [...this.#tools.keys()];
  }
}
