import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "transports/json-lines": "src/transports/json-lines.ts",
    "transports/websocket": "src/transports/websocket.ts",
    "transports/unix-socket": "src/transports/unix-socket.ts",
  },
  format: "esm",
  target: "node20",
  dts: false,
  clean: true,
  splitting: true,
});
