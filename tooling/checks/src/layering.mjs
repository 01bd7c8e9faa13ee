// @ts-check
// Follows every import and holds it against the rules.
import { cruise } from "dependency-cruiser";
import { forbidden } from "./layering-rules.mjs";

/**
 * @param {string} root a folder that holds `packages` and `apps`
 * @returns {Promise<{ modules: number, violations: string[] }>} source files seen, and one line per forbidden import
 */
export async function checkLayering(root) {
  const { output } = await cruise(
    ["packages/*/src", "apps/*/src"],
    {
      baseDir: root,
      validate: true,
      ruleSet: { forbidden },
      doNotFollow: { path: "node_modules" },
      exclude: { path: "/(dist|generated)/" },
      tsPreCompilationDeps: true,
      combinedDependencies: true,
      enhancedResolveOptions: {
        exportsFields: ["exports"],
        conditionNames: ["@turnkit/source", "node", "import", "default"],
        extensions: [".ts", ".js", ".mjs", ".json"],
      },
    },
    { extensionAlias: { ".js": [".ts", ".js"] } },
  );
  if (typeof output === "string") throw new Error(output);
  const comments = new Map(forbidden.map(({ name, comment }) => [name, comment]));
  const violations = output.summary.violations.map(
    ({ rule, from, to }) => `${from} -> ${to}: ${comments.get(rule.name) ?? rule.name}`,
  );
  const modules = output.modules.filter(({ source }) => /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(source)).length;
  return { modules, violations };
}
