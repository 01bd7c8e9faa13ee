import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "node/index": "src/node/index.ts",
    "testing/index": "src/testing/index.ts",
  },
  format: "esm",
  target: "node20",
  dts: false,
  clean: true,
  splitting: true,
});
