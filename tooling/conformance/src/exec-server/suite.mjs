// @ts-check
// The exec-server suite: its scenarios, its recordings, and how one is judged.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compareTranscripts } from "./compare.mjs";
import { Scene } from "./scene.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const scenarioFolder = path.join(here, "scenarios");
const recordingFolder = path.resolve(here, "../../recordings/exec-server");

/** @type {import("../suite.mjs").Suite} */
export const execServerSuite = {
  name: "exec-server",
  arguments: ["exec-server"],
  scenarios: () => [...scenarioFiles().keys()].sort(),
  slow: new Set(["concurrency", "resume_expiry", "exited_retention", "exited_not_closed_retention", "keepalive"]),
  async run(name, { command, output }) {
    const file = scenarioFiles().get(name);
    if (file === undefined) throw new Error(`no scenario is called ${name}`);
    const { run } = await import(pathToFileURL(file).href);
    const scene = new Scene(command);
    /** @type {Error | undefined} */
    let failure;
    try {
      await run(scene);
    } catch (error) {
      failure = /** @type {Error} */ (error);
    }
    // Taken before the servers are ended, which would close the connections.
    const transcript = `${scene.lines().join("\n")}\n`;
    await scene.end();
    output("transcript.txt", transcript);
    const recording = readFileSync(path.join(recordingFolder, `${name}.txt`), "utf8");
    return { failure, differences: compareTranscripts(recording, transcript) };
  },
};

/** The file of every scenario, by name. @returns {Map<string, string>} */
function scenarioFiles() {
  const files = readdirSync(scenarioFolder, { recursive: true, encoding: "utf8" });
  const scenarios = files.filter((file) => file.endsWith(".mjs") && path.dirname(file) !== ".");
  const nameOf = (/** @type {string} */ file) => path.basename(file, ".mjs").replaceAll("-", "_");
  return new Map(scenarios.map((file) => [nameOf(file), path.join(scenarioFolder, file)]));
}
