/** `/init`: has the model write down for later threads how one works in this project. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { AppContext } from "./app-context.js";

const PROMPT = `Write a file AGENTS.md in the current folder: short notes for a coding agent that will work in this project \
and knows nothing of it.

Look at the project first: its README, its manifests and build files, its configuration of tests, linters and formatters, \
a few typical sources, and the last commits. Then write, in at most one page of Markdown:
- what the project is, in one or two sentences, and where its parts are;
- the commands to install, build, run, check and test it, also for one test file alone; try those that are quick and harmless;
- conventions of the code that a newcomer would get wrong: style, names, errors, tests, commits;
- what must not be touched or needs care.

Write only what you saw to be true here, leave out what holds for any project, and change no other file. At the end say \
what you were unsure of.`;

/** @throws {Error} there are notes already */
export function writeProjectNotes(app: AppContext): Promise<void> {
  const file = path.join(app.state.settings.cwd, "AGENTS.md");
  if (existsSync(file)) {
    throw new Error(`${file} is there already and stays as it is. Ask in your own words to have it changed.`);
  }
  return app.send({ text: PROMPT, elements: [] });
}
