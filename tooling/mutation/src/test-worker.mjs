// @ts-check
// A process that keeps one vitest ready: it is told which file has changed, runs the tests and says whether they
// passed. Its parent ends it when a run takes too long.
import { createVitest } from "vitest/node";

const [root = "", project = "", ...files] = process.argv.slice(2);
process.chdir(root);
const vitest = await createVitest("test", {
  root,
  project: [project],
  watch: false,
  // Quicker to start than processes; a thread that hangs ends with this process.
  pool: "threads",
  bail: 1,
  // The tests named here take milliseconds; one that a change keeps from ending need not be waited for long.
  testTimeout: 5_000,
  maxWorkers: 1,
  reporters: [{}],
});
const found = await vitest.globTestSpecifications(files);
const specifications = found.filter((each) => each.project.name === project);

process.on("message", async (/** @type {{ changed: readonly string[] }} */ { changed }) => {
  for (const file of changed) vitest.invalidateFile(file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const passed =
    testModules.length === files.length && unhandledErrors.length === 0 && testModules.every((module) => module.ok());
  const errors = testModules.flatMap((module) =>
    [...module.children.allTests("failed")].map((test) => `${test.fullName}: ${test.result().errors?.[0]?.message}`),
  );
  process.send?.({ passed, errors: [...errors, ...unhandledErrors.map(String)] });
});
process.send?.({ ready: true });
