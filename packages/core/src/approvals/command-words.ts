/** A command line as the plain commands it consists of, for rules that look at their words. Pure. */
import { splitSimpleScript } from "@turnkit/tools";

type Commands = readonly (readonly string[])[];

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const RESERVED = new Set(
  "if then else elif fi for while until do done case esac in function select coproc [[ ]]".split(" "),
);

/** undefined: the script does more than run plain commands, so that no rule about words can judge it. */
export function plainCommands(script: string): Commands | undefined {
  const commands = splitSimpleScript(script)?.map(({ words }) => words);
  return commands?.every(([first = ""]) => !ASSIGNMENT.test(first) && !RESERVED.has(first)) ? commands : undefined;
}

/** Commands without the variables that are set for them alone, and behind the words of loops and conditions. */
export function strippedCommands(script: string): Commands | undefined {
  return splitSimpleScript(script)?.map(({ words }) => {
    const start = words.findIndex((word) => !ASSIGNMENT.test(word) && !RESERVED.has(word));
    return start < 0 ? [] : words.slice(start);
  });
}
