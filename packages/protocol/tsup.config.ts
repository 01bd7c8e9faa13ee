import { defineConfig } from "tsup";
import { generate } from "./scripts/generate.mjs";

export default defineConfig(async () => {
  await generate();
  return {
    entry: {
      index: "src/index.ts",
      schemas: "src/schemas.ts",
      "validate/index": "src/validate/index.ts",
      "validate/config": "src/validate/config.ts",
      "legacy/index": "src/legacy/index.ts",
      "rollout/index": "src/rollout/index.ts",
      "app/index": "src/app/index.ts",
      "exec/index": "src/exec/index.ts",
      "text/index": "src/text/index.ts",
    },
    format: "esm",
    target: "node20",
    dts: false,
    clean: true,
    splitting: true,
    // The validators are most of the package, and every start reads them.
    esbuildOptions(options) {
      options.minifyWhitespace = true;
    },
  };
});
