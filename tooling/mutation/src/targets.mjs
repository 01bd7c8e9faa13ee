// @ts-check
// What is changed, and which tests have to notice. A file's own tests come first; they decide most mutants alone.

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string} project the vitest project of its tests
 * @property {readonly string[]} sources
 * @property {readonly string[]} tests
 */

/** @type {readonly Target[]} */
export const targets = [
  {
    name: "routing",
    project: "core",
    sources: ["packages/core/src/session/turn-input-router.ts"],
    tests: ["src/session/turn-input-router.test.ts"],
  },
  {
    name: "pending-answers",
    project: "core",
    sources: ["packages/core/src/session/pending-answers.ts", "packages/core/src/session/elicitations.ts"],
    tests: ["src/session/small-parts.test.ts"],
  },
  {
    name: "collect-loop",
    project: "tools",
    sources: ["packages/tools/src/unified-exec/collect-output.ts"],
    tests: ["src/unified-exec/collect-output.test.ts", "src/unified-exec/unified-exec.test.ts"],
  },
  {
    name: "registry",
    project: "tools",
    sources: ["packages/tools/src/registry.ts", "packages/tools/src/dispatch.ts"],
    tests: ["src/registry.test.ts", "src/dispatch.test.ts"],
  },
  {
    name: "question-gates",
    project: "tools",
    sources: ["packages/tools/src/request-user-input.ts"],
    tests: ["src/request-user-input.test.ts"],
  },
];
