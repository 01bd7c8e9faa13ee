import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "config/index": "src/config/index.ts",
    "rollout/index": "src/rollout/index.ts",
    "queue/index": "src/queue/index.ts",
    "mcp/oauth/index": "src/mcp/oauth/index.ts",
    "testing/index": "src/testing/index.ts",
    "scripted-model/index": "src/scripted-model/index.ts",
  },
  format: "esm",
  target: "node20",
  dts: false,
  clean: true,
  splitting: true,
});
