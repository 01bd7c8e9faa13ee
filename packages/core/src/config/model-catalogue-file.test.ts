import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ModelCatalogue } from "../model/model-catalogue.js";
import { readModelCatalogue } from "./model-catalogue-file.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "turnkit-models-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: unknown) {
  const file = path.join(folder, "models.json");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return await readModelCatalogue(file);
}

test("a catalogue says which models there are and what they take, first the most important", async () => {
  const listed = await read({
    models: [
      { slug: "plain", priority: 2, visibility: "hide" },
      {
        slug: "full",
        display_name: "Full",
        description: "Hears",
        priority: 1,
        visibility: "list",
        default_reasoning_level: "high",
        supported_reasoning_levels: [{ effort: "high", description: "much" }],
        input_modalities: ["text", "audio"],
        context_window: 1000,
        effective_context_window_percent: 90,
        auto_compact_token_limit: 700,
        comp_hash: "77",
        truncation_policy: { mode: "bytes", limit: 8000 },
        support_verbosity: true,
        default_verbosity: "low",
        default_reasoning_summary: "auto",
        supports_parallel_tool_calls: false,
        whatever: {},
      },
    ],
  });
  expect(listed).toEqual([
    {
      slug: "full",
      displayName: "Full",
      description: "Hears",
      efforts: [{ effort: "high", description: "much" }],
      hidden: false,
      contextWindow: 900,
      effectiveShare: 0.9,
      compactionLimit: 700,
      takesReasoning: true,
      defaultEffort: "high",
      defaultSummary: "auto",
      takesVerbosity: true,
      defaultVerbosity: "low",
      modalities: ["text", "audio"],
      outputTokenLimit: 2000,
      compactionHash: "77",
      parallelToolCalls: false,
    },
    {
      slug: "plain",
      displayName: "plain",
      description: "",
      efforts: [],
      hidden: true,
      contextWindow: 258_400,
      effectiveShare: 0.95,
      compactionLimit: undefined,
      takesReasoning: false,
      defaultEffort: undefined,
      defaultSummary: undefined,
      takesVerbosity: true,
      defaultVerbosity: undefined,
      modalities: ["text", "image"],
      outputTokenLimit: 10_000,
      compactionHash: undefined,
      parallelToolCalls: true,
    },
  ]);
  const catalogue = new ModelCatalogue(listed);
  expect(catalogue.info("full").modalities).toEqual(["text", "audio"]);
  expect(catalogue.isKnown("gpt-5.4")).toBe(false);
  expect(new ModelCatalogue().isKnown("gpt-5.4")).toBe(true);
});

test("what the person says of their model comes before what the catalogue says, but not before what it cannot do", async () => {
  const listed = await read({
    models: [
      { slug: "terse", support_verbosity: false, truncation_policy: { mode: "tokens", limit: 5 } },
      { slug: "thinks", supported_reasoning_levels: [{ effort: "low" }], default_reasoning_summary: "concise" },
    ],
  });
  const overrides = { verbosity: "high", outputTokenLimit: 70, takesReasoning: true } as const;
  const catalogue = new ModelCatalogue(listed, overrides);
  expect(catalogue.info("terse")).toMatchObject({
    defaultVerbosity: undefined,
    outputTokenLimit: 70,
    takesReasoning: true,
    defaultSummary: "auto",
  });
  expect(catalogue.info("thinks")).toMatchObject({ defaultVerbosity: "high", defaultSummary: "concise" });
  expect(new ModelCatalogue(listed).info("terse")).toMatchObject({ outputTokenLimit: 5, takesReasoning: false });
});

test.each([
  ["not json", /models\.json: is not JSON: /],
  [{ models: [] }, /models\.json: models must not be empty/],
  [{ models: [{ slug: "" }] }, /models\.json: models\[0\]\.slug must not be /],
  [
    { models: [{ slug: "a", input_modalities: ["smell"] }] },
    /models\.json: models\[0\]\.input_modalities\[0\] must be /,
  ],
])("one error for %j", async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test("a file that is not there", async () => {
  await expect(readModelCatalogue(path.join(folder, "none.json"))).rejects.toThrow(
    /none\.json: cannot be read: ENOENT/,
  );
});
