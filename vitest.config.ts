import { defineConfig } from "vitest/config";

const conditions = ["@turnkit/source", "node", "import", "default"];
/** Peer suites need the genuine programs and soak needs large counts: both are asked for by the environment. */
const peers = process.env.TURNKIT_PEERS === "1";
const soak = process.env.TURNKIT_SOAK === "1";

/** Suites that replace modules need a module graph of their own; all others share one per worker, which saves their imports. */
const OWN_MODULES = "test/**/*boundaries.test.ts";

function project(name: string, folder: string) {
  const settings = { name, root: folder, isolate: false };
  const [include, exclude] = peers
    ? [["test/**/*.peer.test.ts"], []]
    : [
        ["src/**/*.test.ts", "test/**/*.test.ts"],
        ["**/*.peer.test.ts", OWN_MODULES],
      ];
  return { extends: true as const, test: { ...settings, include, exclude } };
}

function isolatedProject(name: string, folder: string) {
  const settings = { name: `${name}-boundaries`, root: folder, isolate: true };
  return { extends: true as const, test: { ...settings, include: peers ? [] : [OWN_MODULES] } };
}

const packages = ["protocol", "rpc", "tools", "core", "exec-server", "app-server"];

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
      ...packages.map((name) => project(name, `packages/${name}`)),
      ...packages.map((name) => isolatedProject(name, `packages/${name}`)),
      project("cli", "apps/cli"),
      ...["conformance", "bench", "checks", "mutation", "vitest"].map((name) => project(name, `tooling/${name}`)),
    ],
  },
});
