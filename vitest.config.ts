import { defineConfig } from "vitest/config";

const conditions = ["@turnkit/source", "node", "import", "default"];
/** Peer suites need the genuine programs and soak needs large counts: both are asked for by the environment. */
const peers = process.env.TURNKIT_PEERS === "1";
const soak = process.env.TURNKIT_SOAK === "1";

function project(name: string, folder: string) {
  return {
    extends: true as const,
    test: {
      name,
      root: folder,
      include: peers ? ["test/**/*.peer.test.ts"] : ["src/**/*.test.ts", "test/**/*.test.ts"],
      exclude: peers ? [] : ["**/*.peer.test.ts"],
    },
  };
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: ["default", "./tooling/vitest/reporter.ts"],
    testTimeout: soak ? 1_800_000 : 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      ...["protocol", "rpc", "tools", "core", "exec-server", "app-server"].map((name) =>
        project(name, `packages/${name}`),
      ),
      project("cli", "apps/cli"),
      ...["conformance", "bench", "checks"].map((name) => project(name, `tooling/${name}`)),
    ],
  },
});
