// @ts-check
// The deliberate differences of one suite: each with the scenario it is in, a pattern on its line, and its reason.
// Owns the file's rules and which entries were used.
import { readFileSync } from "node:fs";
import { matchesGlob } from "./select.mjs";

/**
 * `atMost`: how many differences of one scenario it explains; absent: any number.
 * `sometimes`: what depends on timing; the entry may explain nothing.
 * @typedef {{ scenario: string | string[], match: string, reason: string, atMost?: number, sometimes?: boolean }} Entry
 */

export class ExpectedDifferences {
  /** How often each entry was used in each scenario. @type {{ entry: Entry, pattern: RegExp, uses: Map<string, number> }[]} */
  #entries;

  /** @param {string} file @throws {Error} the file is not a list of entries */
  static read(file) {
    return new ExpectedDifferences(JSON.parse(readFileSync(file, "utf8")), file);
  }

  /** @param {unknown} list @param {string} name */
  constructor(list, name) {
    if (!Array.isArray(list)) throw new Error(`${name}: must be a list`);
    this.#entries = list.map((entry, index) => {
      for (const key of ["match", "reason"])
        if (!isText(entry?.[key])) throw new Error(`${name}: [${index}].${key} must be a text`);
      if (scenariosOf(entry).length === 0 || !scenariosOf(entry).every(isText))
        throw new Error(`${name}: [${index}].scenario must be a name or a list of names`);
      if (entry.atMost !== undefined && !(Number.isInteger(entry.atMost) && entry.atMost > 0))
        throw new Error(`${name}: [${index}].atMost must be a positive whole number`);
      if (entry.sometimes !== undefined && typeof entry.sometimes !== "boolean")
        throw new Error(`${name}: [${index}].sometimes must be true or false`);
      return { entry, pattern: new RegExp(entry.match, "su"), uses: new Map() };
    });
  }

  /** @param {string} scenario @param {string} difference */
  explains(scenario, difference) {
    const found = this.#entries.filter(
      ({ entry, pattern, uses }) =>
        isOf(entry, scenario) && pattern.test(difference) && (uses.get(scenario) ?? 0) < (entry.atMost ?? Infinity),
    );
    for (const { uses } of found) uses.set(scenario, (uses.get(scenario) ?? 0) + 1);
    return found.length > 0;
  }

  /**
   * Entries that explained nothing although every scenario they speak of was run.
   * @param {readonly string[]} run @param {readonly string[]} all the suite's scenarios @returns {Entry[]}
   */
  unused(run, all) {
    return this.#entries
      .filter(({ uses }) => uses.size === 0)
      .map(({ entry }) => entry)
      .filter(({ sometimes }) => sometimes !== true)
      .filter((entry) => all.filter((name) => isOf(entry, name)).every((name) => run.includes(name)));
  }
}

/** @param {unknown} value */
const isText = (value) => typeof value === "string" && value !== "";

/** @param {Entry} entry */
const scenariosOf = ({ scenario }) => (Array.isArray(scenario) ? scenario : [scenario]);

/** @param {Entry} entry @param {string} name */
const isOf = (entry, name) => scenariosOf(entry).some((glob) => matchesGlob(name, glob));
