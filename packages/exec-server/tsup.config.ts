import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "local-host": "src/local-host.ts",
    "server/process-settings": "src/server/process-settings.ts",
    "server/index": "src/server/index.ts",
  },
  format: "esm",
  target: "node20",
  dts: false,
  clean: true,
  splitting: true,
});
