import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "client/index": "src/client/index.ts",
  },
  format: "esm",
  target: "node20",
  dts: false,
  clean: true,
  splitting: true,
});
