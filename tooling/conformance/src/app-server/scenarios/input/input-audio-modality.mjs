import { writeFileSync } from "node:fs";
import path from "node:path";
import { audioCases } from "../audio-cases.mjs";

/** A catalogue of one model, which hears; otherwise like the bundled model of that name. */
const catalog = {
  models: [
    {
      slug: "gpt-5.4",
      display_name: "gpt-5.4",
      description: "A model that hears.",
      default_reasoning_level: "medium",
      supported_reasoning_levels: ["low", "medium", "high", "xhigh"].map((effort) => ({ effort, description: effort })),
      shell_type: "shell_command",
      visibility: "list",
      supported_in_api: true,
      priority: 0,
      base_instructions: "Be helpful.",
      input_modalities: ["text", "image", "audio"],
      support_verbosity: true,
      default_verbosity: "low",
      apply_patch_tool_type: "freeform",
      supports_reasoning_summaries: true,
      supports_parallel_tool_calls: true,
      supports_image_detail_original: true,
      context_window: 272000,
      comp_hash: "2911",
      truncation_policy: { mode: "tokens", limit: 10000 },
      experimental_supported_tools: [],
    },
  ],
};

export async function run(scene) {
  const file = path.join(scene.home, "cat.json");
  writeFileSync(file, JSON.stringify(catalog));
  const client = await scene.start({ config: { top: `model_catalog_json = "${file}"` } });
  await client.init();
  await audioCases(client);
}
