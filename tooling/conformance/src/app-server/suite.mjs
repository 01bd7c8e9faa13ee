// @ts-check
// The app-server suite: its scenarios, its recordings, and how one is judged.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { removeFolder } from "@turnkit/tooling-vitest/remove-folder";
import { inOneOrder, racingScenarios } from "./any-order.mjs";
import { compareStreams } from "./compare.mjs";
import { observe } from "./observe.mjs";
import { withoutOwnWords } from "./own-words.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const scenarioFolder = path.join(here, "scenarios");
const recordingFolder = path.resolve(here, "../../recordings/app-server");
/** Outside of any repository and of /tmp, because scenarios look at both. Recordings hold the length of the path. */
const workFolder = "/var/tmp/conformance-app-";

/** @type {import("../suite.mjs").Suite} */
export const appServerSuite = {
  name: "app-server",
  arguments: ["app-server"],
  scenarios: () => [...scenarioFiles().keys()].sort(),
  slow: new Set(),
  async run(name, { command, output }) {
    const file = scenarioFiles().get(name);
    if (file === undefined) throw new Error(`no scenario is called ${name}`);
    const { run } = await import(pathToFileURL(file).href);
    const folder = mkdtempSync(workFolder);
    const { failure, streams, entries, requests } = await observe(run, { command, folder: path.join(folder, name) });
    await removeFolder(folder);
    output("transcript.jsonl", jsonLines(entries));
    output("requests.jsonl", jsonLines(requests));
    output("streams.json", JSON.stringify(streams, null, 1));
    const racing = racingScenarios.get(name);
    const comparable = (/** @type {import("./strip.mjs").Streams} */ each) => withoutOwnWords(inOneOrder(each, racing));
    return { failure, differences: compareStreams(comparable(recording(name)), comparable(streams)) };
  },
};

/** The file of every scenario, by name. @returns {Map<string, string>} */
function scenarioFiles() {
  const files = readdirSync(scenarioFolder, { recursive: true, encoding: "utf8" });
  const scenarios = files.filter((file) => file.endsWith(".mjs") && path.dirname(file) !== ".");
  return new Map(scenarios.map((file) => [path.basename(file, ".mjs"), path.join(scenarioFolder, file)]));
}

/** What the reference did. @param {string} name @returns {import("./strip.mjs").Streams} */
function recording(name) {
  return JSON.parse(gunzipSync(readFileSync(path.join(recordingFolder, `${name}.json.gz`))).toString("utf8"));
}

/** @param {readonly unknown[]} values */
function jsonLines(values) {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
