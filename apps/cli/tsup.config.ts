import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    main: "src/main.ts",
  },
  format: "esm",
  target: "node20",
  dts: false,
  clean: true,
  splitting: true,
});
