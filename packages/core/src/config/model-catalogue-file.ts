/** The catalogue of models that `model_catalog_json` names. */
import { readFile } from "node:fs/promises";
import { validate } from "@turnkit/protocol/validate";
import { type ListedModel, listedModel } from "../model/model-catalogue.js";
import { ConfigError } from "./config-error.js";

/** @throws {ConfigError} the file cannot be read, or is no catalogue */
export async function readModelCatalogue(file: string): Promise<readonly ListedModel[]> {
  const problem = (rule: string, key = "") => new ConfigError({ file, line: undefined, key, rule });
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const { message } = error as Error;
    throw problem(error instanceof SyntaxError ? `is not JSON: ${message}` : `cannot be read: ${message}`);
  }
  const checked = validate("ConfigModelCatalog", value);
  if (!checked.ok) throw problem(checked.issues[0]?.message ?? "is not valid", checked.issues[0]?.path ?? "");
  if (checked.value.models.length === 0) throw problem("must not be empty", "models");
  const order = (entry: { readonly priority?: number | null }) => entry.priority ?? Number.MAX_SAFE_INTEGER;
  return [...checked.value.models].sort((a, b) => order(a) - order(b)).map(listedModel);
}
