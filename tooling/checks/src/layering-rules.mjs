// @ts-check
// The arrows between rooms, as rules of dependency-cruiser. Paths are relative to the repository.

/** What each package may import of the others. @type {Record<string, readonly string[]>} */
const allowed = {
  protocol: [],
  rpc: ["protocol"],
  tools: ["protocol"],
  core: ["protocol", "tools"],
  "exec-server": ["protocol", "rpc"],
  "app-server": ["protocol", "rpc", "tools", "core", "exec-server"],
};
const packages = Object.keys(allowed);

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
export const forbidden = [
  ...packages.map((name) => ({
    name: `${name}-imports`,
    comment: `packages/${name} may import ${allowed[name]?.join(", ") || "no other package"}.`,
    severity: /** @type {const} */ ("error"),
    from: { path: `^packages/${name}/`, pathNot: "^packages/core/test/" }, // Its process tests need real hosts.
    to: { path: "^(packages|apps)/", pathNot: `^packages/(${[name, ...(allowed[name] ?? [])].join("|")})/` },
  })),
  {
    name: "one-place-composes",
    comment: "Only compose.ts of the app-server brings core, tools and exec-server together.",
    severity: "error",
    from: { path: "^packages/app-server/src/", pathNot: "^packages/app-server/src/compose\\.ts$|\\.test\\.ts$" },
    to: { path: "^packages/(tools|exec-server)/" },
  },
  {
    name: "one-file-imports-node-pty",
    comment: "node-pty is loaded by one file of the exec-server.",
    severity: "error",
    from: { pathNot: "^packages/exec-server/src/process/terminal-addon\\.ts$" },
    to: { path: "node_modules/node-pty/|^node-pty$" },
  },
  {
    name: "exec-client-without-node-pty",
    comment: "The client side of the exec-server must not reach node-pty.",
    severity: "error",
    from: { path: "^packages/exec-server/src/index\\.ts$" },
    to: { path: "node_modules/node-pty/|^node-pty$", reachable: true },
  },
  {
    name: "tui-is-a-client",
    comment: "The terminal interface speaks to the app-server and knows neither core nor exec-server.",
    severity: "error",
    from: { path: "^apps/cli/src/tui/" },
    to: { path: "^packages/(core|exec-server|tools)/" },
  },
  {
    name: "current-schemas-without-legacy",
    comment: "Current shapes know nothing of old ones; readers of files know both.",
    severity: "error",
    from: { path: "^packages/protocol/src/(agent|app|exec|rollout|rpc|text)/", pathNot: "/rollout/read-[^/]+\\.ts$" },
    to: { path: "^packages/protocol/src/legacy/" },
  },
  {
    name: "no-cycles",
    comment: "Files that import each other in a ring, types included, are one file or one more.",
    severity: "error",
    from: { path: "^(packages|apps)/" },
    to: { circular: true },
  },
  {
    name: "tests-stay-out",
    comment: "Source does not import tests.",
    severity: "error",
    from: { path: "^(packages|apps)/[^/]+/src/", pathNot: "\\.test\\.ts$" },
    to: { path: "\\.test\\.ts$|/test/" },
  },
];
