import { readFileSync } from "node:fs";
import { defineConfig } from "tsup";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

export default defineConfig({
  entry: {
    main: "src/main.ts",
  },
  format: "esm",
  target: "node20",
  platform: "node",
  dts: false,
  clean: true,
  splitting: true,
  minify: true,
  // One program: everything is inside but the native addons. `noExternal` wins over `external`, so it must leave them out.
  noExternal: [/^(?!(?:node-pty|sharp)(?:\/|$))/],
  external: ["node-pty", "sharp"],
  // The workspace's sources, so that only what is used comes along.
  esbuildOptions(options) {
    options.conditions = ["@turnkit/source", "node", "import", "default"];
  },
  define: { TURNKIT_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
  // CommonJS packages inside the bundle ask for `require`.
  banner: {
    js: 'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);',
  },
});
