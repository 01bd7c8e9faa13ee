// @ts-check
// What the command line knows of a suite.

/**
 * @typedef {object} Run
 * @property {readonly string[]} command the program and its arguments, those of the suite included
 * @property {(file: string, text: string) => void} output keeps a file of this run for looking at
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {readonly string[]} arguments what makes the program this suite's server
 * @property {() => string[]} scenarios
 * @property {ReadonlySet<string>} slow scenarios that are only run when asked for
 * @property {(scenario: string, run: Run) => Promise<{ failure: Error | undefined, differences: import("./verdict.mjs").Difference[] }>} run
 */
export {};
