// @ts-check
// The deliberate differences of one suite: each with the scenario it is in, a pattern on its line, and its reason.
// Owns the file's rules and which entries were used.
import { readFileSync } from "node:fs";
import { matchesGlob } from "./select.mjs";

/** @typedef {{ scenario: string, match: string, reason: string }} Entry */

export class ExpectedDifferences {
  /** @type {{ entry: Entry, pattern: RegExp, used: boolean }[]} */
  #entries;

  /** @param {string} file @throws {Error} the file is not a list of entries */
  static read(file) {
    return new ExpectedDifferences(JSON.parse(readFileSync(file, "utf8")), file);
  }

  /** @param {unknown} list @param {string} name */
  constructor(list, name) {
    if (!Array.isArray(list)) throw new Error(`${name}: must be a list`);
    this.#entries = list.map((entry, index) => {
      for (const key of ["scenario", "match", "reason"])
        if (typeof entry?.[key] !== "string" || entry[key] === "")
          throw new Error(`${name}: [${index}].${key} must be a text`);
      return { entry, pattern: new RegExp(entry.match, "su"), used: false };
    });
  }

  /** @param {string} scenario @param {string} difference */
  explains(scenario, difference) {
    const found = this.#entries.filter(
      ({ entry, pattern }) => matchesGlob(scenario, entry.scenario) && pattern.test(difference),
    );
    for (const each of found) each.used = true;
    return found.length > 0;
  }

  /**
   * Entries that explained nothing although every scenario they speak of was run.
   * @param {readonly string[]} run @param {readonly string[]} all the suite's scenarios @returns {Entry[]}
   */
  unused(run, all) {
    return this.#entries
      .filter(({ used }) => !used)
      .map(({ entry }) => entry)
      .filter(({ scenario }) => all.filter((name) => matchesGlob(name, scenario)).every((name) => run.includes(name)));
  }
}
