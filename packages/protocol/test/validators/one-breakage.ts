/** One invalid value of a schema, for boundaries that are walked through a connection. */
import { joinPath, type SchemaName } from "../../src/validate/index.js";
import type { Breakage } from "../json-schema/breakages.js";
import { samplesOf } from "./complaints.js";

/**
 * A required member is left out where there is one, so that what runs without its validator finds nothing to act on;
 * else something inside is of a wrong kind, else the value itself.
 */
export function oneBreakage(name: SchemaName): Breakage {
  const { broken } = samplesOf(name, 1);
  const depth = ({ path }: Breakage): number => path.split(/[.[]/).length;
  const found =
    broken.find((breakage) => breakage.what === "missing member" && depth(breakage) === 1) ??
    broken.find((breakage) => breakage.path !== "") ??
    broken[0];
  if (found === undefined) throw new RangeError(`${name} takes everything`);
  return found;
}

/** Whether the words are about the broken place: `params.input[0].text is required`. */
export function isAbout(words: string, label: string, { path }: Breakage): boolean {
  const place = path === "" ? label : joinPath(label, path);
  return words.startsWith(`${place} `) && words.length > place.length + 1;
}
