// @ts-check
// The arguments of the conformance command.
import { parseArgs } from "node:util";

export const usage = `usage: npm run conformance -- [app-server|exec-server] [scenario ...] [options]

  scenario     a name, or a pattern with *; none: the claimed scenarios
  --all        every scenario but the slow ones
  --slow       with --all or a pattern: slow scenarios too
  --bin CMD    the program to test, split at spaces (default: the built turnkit)
  -v           every difference, not only the first ones
  --json FILE  the verdicts as JSON
  --list       names the scenarios and ends
`;

/** @param {readonly string[]} argv @throws {Error} */
export function parseCommandLine(argv) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      slow: { type: "boolean", default: false },
      bin: { type: "string" },
      verbose: { type: "boolean", short: "v", default: false },
      json: { type: "string" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [first = "", ...rest] = positionals;
  const named = first === "app-server" || first === "exec-server";
  if (!named && first !== "") throw new Error(`the first argument must be app-server or exec-server, not ${first}`);
  return { ...values, suite: named ? first : undefined, globs: rest };
}
