// @ts-check
// Packages as they would be published: entry points that exist and are what they say.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** One line per finding. @param {string} root */
export async function checkPublishedPackages(root) {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(path.join(root, parent)).map((name) => path.join(root, parent, name)),
  );
  const findings = await Promise.all(
    folders.map(async (pkgDir) => {
      const manifest = JSON.parse(readFileSync(path.join(pkgDir, "package.json"), "utf8"));
      const { messages } = await publint({ pkgDir, pack: false, strict: true });
      return messages.map((message) => `${manifest.name}: ${formatMessage(message, manifest, { color: false })}`);
    }),
  );
  return findings.flat();
}
