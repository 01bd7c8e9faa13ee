#!/usr/bin/env node
/**
 * The `turnkit` command. No static imports: what a command does not need is not loaded.
 */
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  const [{ VERSION }, { watchOutput }] = await Promise.all([import("./version.js"), import("./output-failure.js")]);
  watchOutput();
  process.stdout.write(`turnkit ${VERSION}\n`);
} else {
  const { main } = await import("./run.js");
  await main(args);
}

export {};
