/** Writes schema/<family>.json: JSON Schema (draft-07) of every named schema. Run it after changing one. */
import { join } from "node:path";
import { load, writeIfChanged } from "./generate.mjs";

const root = join(import.meta.dirname, "..");
const { schemaBundles } = await load("src/registry.ts");
for (const [family, bundle] of Object.entries(schemaBundles())) {
  const changed = writeIfChanged(join(root, "schema", `${family}.json`), `${JSON.stringify(bundle, null, 2)}\n`);
  console.log(
    `${changed ? "written  " : "unchanged"} schema/${family}.json (${Object.keys(bundle.definitions).length})`,
  );
}
